// Lists the turns of a session.
// Parameters, in $p: sid STRING; session, session_key, reading STRING or null; before INTEGER or
//   null; limit INTEGER; after LIST or null, the place of the last row before.
// Returns: total INTEGER; page LIST of MAP, newest first.
RETURN
  COUNT {
    MATCH (e:Episode)
    USING INDEX SEEK e:Episode(sid, session_key, occurred_at)
    WHERE e.sid = $p.sid AND e.session_key = $p.session_key AND e.occurred_at IS NOT NULL
      AND ($p.session IS NULL OR e.session = $p.session)
      AND ($p.reading IS NULL OR e.reading = $p.reading)
      AND ($p.before IS NULL OR e.occurred_at < $p.before)
    RETURN e
  } AS total,
  COLLECT {
    MATCH (e:Episode)
    USING INDEX SEEK e:Episode(sid, session_key, occurred_at)
    WHERE e.sid = $p.sid AND e.session_key = $p.session_key AND e.occurred_at IS NOT NULL
      AND ($p.session IS NULL OR e.session = $p.session)
      AND ($p.reading IS NULL OR e.reading = $p.reading)
      AND ($p.before IS NULL OR e.occurred_at < $p.before)
      AND (
        $p.after IS NULL OR e.occurred_at < $p.after[0] OR (e.occurred_at = $p.after[0] AND (
          e.place < $p.after[1] OR (e.place = $p.after[1] AND e.id < $p.after[2])
        ))
      )
    WITH e
    ORDER BY e.occurred_at DESC, e.place DESC, e.id DESC
    LIMIT $p.limit
    RETURN e {.*, said: null}
  } AS page
