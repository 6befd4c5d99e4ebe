// graphmem 0: parameters, to be run first
// Sets what the other queries ask for; "graphmem browser" fills in the user. Change a value here,
// or alone by a command such as   :param subject => "mango"   and run the query again. Browser
// forgets them when its page is loaded anew.
// tenant, user: whose memory is looked at, alone; the tenant is "default" if none was ever named.
// subject: the name of a person, place or thing; "me" is the user.
// fact: words of its statement, or its id.
// at: "2025", "2025-03", "2025-03-01" or "2025-03-01T12:00+08:00"; in UTC without an offset.
:params {"tenant": "default", "user": "ana", "subject": "me", "fact": "moved", "at": "2025-03"}
