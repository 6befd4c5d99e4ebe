"""Closed lists of English words: roles, occupations, feelings, and the small words of grammar."""

from __future__ import annotations

from graphmem.extraction.patterns.sentences import words


def table(text: str) -> dict[str, str]:
    """Read ``key: word, two words; …`` as a map from each word to its key."""
    result: dict[str, str] = {}
    for entry in text.replace("\n", " ").split(";"):
        key, _, members = entry.partition(":")
        for member in members.split(","):
            if member.strip():
                result[member.strip()] = key.strip()
    return result


# --- Who is who. The predicate runs from "me" to the person; a leading "<" means the other way
# ("my employee Mo": Mo works_at … is not told, so only person to person relations stand here).
ROLES = table(
    """
    has_sibling: sister, brother, sibling, twin, twin sister, twin brother, half-sister,
      half-brother, stepsister, stepbrother, big sister, big brother, little sister,
      little brother, older sister, older brother, elder sister, elder brother, younger sister,
      younger brother, baby sister, baby brother, sis, bro, kid sister, kid brother;
    has_child: son, daughter, child, kid, eldest, youngest, baby, toddler, stepson, stepdaughter,
      eldest son, eldest daughter, youngest son, youngest daughter, oldest son, oldest daughter,
      older son, older daughter, younger son, younger daughter, little girl, little boy;
    <has_child: mother, father, mum, mom, dad, mama, papa, mam, stepmother, stepfather, stepmum,
      stepdad, stepmom;
    has_grandchild: grandson, granddaughter, grandchild, grandkid;
    <has_grandchild: grandmother, grandfather, grandma, grandpa, granny, gran, nan, nana, grandad,
      granddad;
    has_relative: aunt, auntie, uncle, cousin, niece, nephew, great-aunt, great-uncle,
      mother-in-law, father-in-law, sister-in-law, brother-in-law, son-in-law, daughter-in-law,
      godmother, godfather, godson, goddaughter, godchild, mother in law, father in law,
      sister in law, brother in law, son in law, daughter in law;
    married_to: wife, husband, spouse, hubby;
    engaged_to: fiancé, fiancée, fiance, fiancee;
    partner_of: partner, girlfriend, boyfriend, other half, life partner;
    friend_of: friend, best friend, close friend, good friend, old friend, childhood friend,
      school friend, college friend, dear friend, oldest friend, mate, bestie, pal, buddy,
      best mate, longtime friend;
    neighbour_of: neighbour, neighbor, next-door neighbour, next-door neighbor,
      upstairs neighbour, downstairs neighbour, upstairs neighbor, downstairs neighbor;
    colleague_of: colleague, coworker, co-worker, workmate, teammate;
    classmate_of: classmate;
    roommate_of: roommate, flatmate, housemate;
    has_manager: boss, manager, supervisor, line manager;
    <has_manager: employee, direct report;
    has_mentor: mentor;
    <has_mentor: mentee;
    has_teacher: teacher, tutor, coach, piano teacher, violin teacher, guitar teacher,
      music teacher, yoga teacher, swimming teacher, driving instructor, instructor, trainer,
      personal trainer, professor, maths teacher;
    <has_teacher: student, pupil;
    has_landlord: landlord, landlady;
    <has_landlord: tenant, lodger;
    has_dentist: dentist;
    has_doctor: doctor, gp, cardiologist, dermatologist, paediatrician, pediatrician, neurologist,
      oncologist, psychiatrist, physio, physiotherapist, optician, surgeon, gynaecologist;
    has_therapist: therapist, psychologist, counsellor, counselor, shrink;
    has_accountant: accountant, tax adviser, tax advisor;
    has_lawyer: lawyer, solicitor, attorney;
    has_assistant: assistant, pa, secretary;
    has_pet: dog, cat, puppy, kitten, hamster, rabbit, bunny, parrot, budgie, tortoise, turtle,
      goldfish, horse, pony, guinea pig, ferret, lizard, gecko, snake, rat, hen, goat, pet,
      greyhound, labrador, beagle, poodle, dachshund, terrier, spaniel, collie, border collie,
      golden retriever, german shepherd, husky, corgi, pug, bulldog, tabby
    """
)
SPECIES = {
    word: word
    for word in words(
        "dog cat puppy kitten hamster rabbit parrot budgie tortoise turtle goldfish horse pony"
        " ferret lizard gecko snake rat hen goat"
    )
} | {"guinea pig": "guinea pig", "bunny": "rabbit"}
BREEDS = words(
    "greyhound labrador beagle poodle dachshund terrier spaniel collie husky corgi pug bulldog"
    " siamese ragdoll whippet dalmatian rottweiler schnauzer chihuahua"
) | {"border collie", "golden retriever", "german shepherd", "maine coon"}
PLURALS = {
    "children": "child", "kids": "kid", "wives": "wife", "puppies": "puppy", "ponies": "pony",
    "guinea pigs": "guinea pig", "budgies": "budgie", "goldfish": "goldfish", "bunnies": "bunny",
    "daughters-in-law": "daughter-in-law", "huskies": "husky",
}  # fmt: skip

OCCUPATIONS = words(
    "accountant actor actress actuary administrator analyst animator anthropologist archaeologist"
    " architect archivist artist astronomer attorney auditor author baker banker barber barista"
    " barrister bartender beekeeper biologist blacksmith bookkeeper bookseller botanist brewer"
    " bricklayer broker builder butcher buyer caretaker carer carpenter cashier chef chemist"
    " choreographer cleaner clerk coach comedian composer conductor consultant contractor"
    " controller cook coordinator copywriter counsellor counselor courier curator dancer dentist"
    " designer detective developer dietitian director dj doctor dramatist driver ecologist"
    " economist editor electrician engineer entrepreneur farmer filmmaker firefighter fisherman"
    " florist gardener geographer geologist goldsmith grocer guitarist gp hairdresser handyman"
    " historian housekeeper illustrator instructor interpreter investigator jeweller jeweler"
    " joiner journalist judge juggler lawyer lecturer librarian lifeguard linguist locksmith"
    " machinist magistrate manager mathematician mechanic mediator meteorologist midwife miner"
    " model musician nanny neurologist neurosurgeon notary novelist nurse nutritionist optician"
    " painter paralegal paramedic pharmacist philosopher photographer physician physicist"
    " physiotherapist pianist pilot plasterer playwright plumber poet policeman policewoman"
    " politician porter postdoc postman potter principal printer producer professor programmer"
    " psychiatrist psychologist psychotherapist publisher radiographer radiologist realtor"
    " receptionist recruiter referee reporter researcher roofer sailor salesperson salesman"
    " scientist sculptor seamstress secretary shepherd shopkeeper singer sociologist solicitor"
    " sommelier statistician stockbroker strategist surgeon surveyor tailor teacher technician"
    " therapist tiler toolmaker trader trainee trainer translator tutor typist undertaker"
    " upholsterer vet veterinarian videographer violinist waiter waitress warehouseman"
    " watchmaker weaver webmaster welder writer zookeeper zoologist apprentice intern ceo cto cfo"
    " coo founder cofounder co-founder headmaster headteacher headmistress freelancer deckhand"
    " soldier nun priest pastor rabbi imam monk paediatrician pediatrician dermatologist"
    " cardiologist oncologist anaesthetist supervisor assistant officer agent specialist advisor"
    " adviser planner stylist lead executive representative owner operator inspector bassist"
    " drummer cellist bookbinder beautician masseuse stonemason tester physio dietician podiatrist"
    " osteopath chiropractor sonographer phlebotomist childminder bouncer dispatcher dev sysadmin"
    " proofreader landscaper decorator scaffolder groundsman ranger gamekeeper fishmonger"
    " greengrocer cabbie trucker underwriter bursar registrar barman barmaid busker steward"
    " stewardess chauffeur groomer breeder tattooist coroner farrier luthier glazier optometrist"
    " orthodontist hygienist pharmacologist virologist geneticist neuroscientist oceanographer"
    " attendant foreman fitter machinist paramedic shepherdess milkman signalman docker"
)
NOT_MY_TRADE = words("lead owner operator founder model agent executive principal judge")
DIETS = words(
    "vegan vegetarian pescatarian pescetarian flexitarian halal kosher keto paleo fruitarian"
    " veggie omnivore gluten-free carnivore"
)
NATIONALITIES = words(
    "american argentinian argentine armenian australian austrian bangladeshi basque belgian"
    " bolivian brazilian british bulgarian cambodian cameroonian canadian catalan chilean chinese"
    " colombian croatian cuban czech danish dutch ecuadorian egyptian english estonian ethiopian"
    " filipino filipina finnish french georgian german ghanaian greek guatemalan haitian hungarian"
    " icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese jordanian"
    " kazakh kenyan korean latvian lebanese libyan lithuanian malaysian maltese mexican moldovan"
    " mongolian moroccan nepalese nepali nigerian norwegian pakistani palestinian paraguayan"
    " peruvian polish portuguese romanian russian rwandan scottish senegalese serbian singaporean"
    " slovak slovenian somali spanish sudanese swedish swiss syrian taiwanese tanzanian thai"
    " tunisian turkish ugandan ukrainian uruguayan venezuelan vietnamese welsh zambian zimbabwean"
)
RELIGIONS = words(
    "muslim christian catholic protestant orthodox jewish hindu buddhist sikh atheist agnostic"
    " lutheran anglican methodist baptist quaker mormon taoist"
)
FEELINGS = words(
    "tired exhausted sick stressed anxious depressed sad lonely nervous hungover ill bored angry"
    " upset overwhelmed homesick knackered heartbroken devastated frustrated miserable sleepy"
    " grumpy jetlagged burnt-out unwell poorly"
) | {"hung over", "burnt out", "burned out", "stressed out", "jet lagged", "worn out", "jet-lagged"}
STATUSES = words("single married divorced engaged widowed separated")
COLOURS = words(
    "red blue green yellow black white grey gray brown orange purple pink teal turquoise silver"
    " gold golden beige navy maroon violet indigo cream"
)
LANGUAGES = words(
    "afrikaans albanian amharic arabic armenian basque bengali bulgarian burmese cantonese catalan"
    " chinese croatian czech danish dutch english esperanto estonian farsi finnish flemish french"
    " frisian gaelic galician georgian german greek guarani gujarati hausa hebrew hindi hungarian"
    " icelandic igbo indonesian irish italian japanese kazakh khmer korean kurdish lao latin"
    " latvian lithuanian luxembourgish malay maltese mandarin maori marathi mongolian nepali"
    " norwegian pashto persian polish portuguese punjabi quechua romanian russian sami sanskrit"
    " serbian shanghainese sinhala slovak slovene slovenian somali spanish swahili swedish tagalog"
    " tamil telugu thai tibetan turkish twi ukrainian urdu uzbek vietnamese welsh wolof xhosa"
    " yiddish yoruba zulu asl bsl"
)
KINDS_OF_THING = (
    words(
        "dog cat restaurant café cafe bar pub hotel city town village country river company startup"
        " bakery shop store school university charity bank band app project team product language"
        " book novel film movie game play song album magazine newspaper museum park festival island"
        " mountain lake bridge church hospital clinic library theatre theater orchestra choir club"
        " horse rabbit parrot hamster boat ship"
    )
    | BREEDS
)
OWNABLE = words(
    "car bike bicycle motorbike motorcycle scooter moped van truck lorry boat yacht canoe kayak"
    " house flat apartment cottage cabin farm allotment garden greenhouse piano guitar violin"
    " cello drum drums ukulele saxophone laptop computer tablet phone smartphone camera telescope"
    " camper campervan caravan sailboat tent printer console ebike e-bike tractor kiln loom"
    " telly television tv fridge freezer dishwasher bookshop shop restaurant café cafe"
    " dryer washer microwave kettle generator"
    " treadmill trailer synthesizer harp flute trumpet clarinet microscope drone smartwatch"
    " watch banjo accordion oven"
)
CONDITIONS = words(
    "asthma diabetes epilepsy migraine migraines arthritis hypertension anaemia anemia adhd autism"
    " dyslexia insomnia depression anxiety eczema psoriasis hayfever glaucoma tinnitus scoliosis"
    " endometriosis fibromyalgia celiac coeliac parkinson's alzheimer's lupus osteoporosis gout"
    " covid flu pneumonia bronchitis narcolepsy ibs cancer leukaemia leukemia sciatica"
    " hypothyroidism hyperthyroidism pcos ms cold"
) | {
    "hay fever", "high blood pressure", "low blood pressure", "coeliac disease", "celiac disease",
    "type 1 diabetes", "type 2 diabetes", "heart disease", "chronic pain", "sleep apnoea",
    "sleep apnea", "crohn's disease", "a bad back", "a bad knee", "bad knees", "a bad hip",
    "high cholesterol", "a heart condition", "back pain",
}  # fmt: skip
HAVING = words(
    "coeliac celiac diabetic asthmatic epileptic dyslexic autistic colour-blind color-blind"
    " colourblind colorblind deaf anaemic anemic haemophiliac bipolar narcoleptic arthritic"
    " short-sighted shortsighted nearsighted hypertensive dyspraxic neurodivergent"
) | {"hard of hearing", "partially sighted", "colour blind", "color blind"}
"""What people with a condition are."""
MEALS_AND_DRINKS = words(
    "coffee tea milk wine beer cider whisky whiskey gin rum vodka cola soda juice water cocoa kefir"
    " espresso lattes latte cappuccino matcha kombucha sake prosecco champagne lemonade smoothies"
    " decaf caffeine alcohol spirits cocktails"
)
TOOLS = words(
    "python kotlin java javascript typescript rust golang ruby php linux windows mac macos"
    " android iphone ios chrome firefox safari postgres postgresql mysql sqlite mongodb aws"
    " azure gcp docker kubernetes slack teams notion obsidian vim emacs vscode github gitlab"
    " spotify netflix facebook twitter instagram tiktok reddit linkedin whatsapp youtube"
    " snapchat discord gmail outlook excel ubuntu debian fedora react vue angular django tinder"
    " mastodon bluesky signal telegram tidal deezer audible trello asana jira figma canva evernote"
    " onenote hulu disney+ chatgpt garmin strava fitbit"
)
BODY = words(
    "arm leg wrist ankle knee elbow shoulder foot toe finger thumb nose rib ribs hip hand neck back"
    " collarbone heel jaw hamstring skull"
)
INSTRUMENTS_OR_GAMES = words(
    "violin viola cello piano guitar bass drums flute oboe clarinet trumpet trombone tuba saxophone"
    " harp accordion banjo ukulele organ harmonica bassoon recorder sitar tabla lute mandolin"
    " fiddle bagpipes football soccer tennis basketball volleyball badminton hockey rugby cricket"
    " golf chess baseball softball squash bridge poker go padel handball lacrosse darts pool"
    " snooker bowls petanque pétanque mahjong minecraft d&d dungeons dodgeball netball waterpolo"
    " backgammon scrabble ping-pong"
) | {"table tennis", "ice hockey", "video games", "board games", "water polo", "french horn",
     "double bass", "ping pong", "the field"}  # fmt: skip
ACTIVITIES = table(
    """
    running: run, jog, go running, go jogging; swimming: swim, go swimming; hiking: go hiking,
    hike; cycling: go cycling; climbing: climb, go climbing; yoga: do yoga; pilates: do pilates;
    skiing: ski, go skiing; surfing: surf, go surfing; knitting: knit; juggling: juggle;
    skating: skate, go skating; sailing: sail, go sailing; karate: do karate; judo: do judo;
    gardening: garden; crochet: crochet; painting: paint; kayaking: kayak, go kayaking;
    fishing: fish, go fishing; rowing: row, go rowing;
    crossfit: do crossfit; tai chi: do tai chi; zumba: do zumba; boxing: box, do boxing;
    kickboxing: do kickboxing; weightlifting: lift weights, do weights, do weightlifting;
    spinning: do spin, do spinning; ballet: do ballet; barre: do barre; parkrun: do parkrun;
    bouldering: go bouldering; dancing: dance, go dancing
    """
)

KIN_NAMES = words("mum mom dad mummy daddy grandma grandpa granny grandad gran nan nana")
"""Kin that are called so: "mum lives with us"."""
YOUNG = words("son daughter child kid niece nephew grandson granddaughter stepson eldest youngest")
"""Kin who are at school rather than at work, as like as not."""

# --- Grammar.
SELF = words("i we")
THIRD_PERSON = words("he she they him her them")
POSSESSIVE = words("my our")
PLACEHOLDERS = words(
    "it this that these those there here so now nothing something anything everything everyone"
    " everybody someone somebody anyone anybody nobody none what who which whoever whatever one"
    " ones thing things stuff same some any all both each either neither such others other another"
    " people everywhere lots plenty most many few several much part half rest"
)
ADVERBS = words(
    "really absolutely totally just already currently now still also always usually often actually"
    " recently finally mostly even kinda definitely generally originally truly genuinely simply"
    " honestly basically personally mainly mostly newly officially temporarily permanently lately"
    " deeply severely deathly very so super quite pretty extremely highly terribly both too"
    " badly violently heavily strongly hugely fairly"
    " happily proudly sadly unfortunately luckily regularly normally typically today nowadays"
    " quite secretly quietly only completely fully once literally seriously obviously certainly"
    " surely"
    " especially particularly sort kind afterwards eventually then again either mildly"
    " slightly incredibly insanely madly horribly thankfully fortunately frankly initially"
)
HEDGES = words("almost nearly hardly barely scarcely rarely seldom supposedly allegedly sometimes")
MAYBES = words("maybe perhaps possibly probably")
DETERMINERS = words("a an the some any")
OPENERS = words(
    "hi hey hello so ok okay well oh ah btw basically and but also yes no yeah yep nope now then"
    " honestly fyi plus anyway anyways right sure thanks sorry actually hmm um uh haha lol wow man"
    " dude look listen great good true however still besides luckily unfortunately sadly because"
    " though although cool nice news update correction fact edit ps p.s personally obviously"
    " technically again finally currently recently today nah damn ugh alas or tbh imo imho lmao omg"
    " ngl fwiw welp eh aw aww yikes whoa phew hmmm yo erm er"
)
CLAUSE_STARTS = words(
    "because when while which who whom whose that if unless until till before after where whenever"
    " since so but although though as than except whether once how why what whereas and or plus"
    " whilst for with to without"
)
BAD_IN_OBJECT = words(
    "it this that these those them him her you your yours he she they we i me us something"
    " anything everything nothing stuff things thing what how why who whom which whether one ones"
    " someone everyone anyone because if when while there here such same myself yourself itself"
    " himself herself themselves ourselves is are was were am be been being has have had do does"
    " did will would could should can may might must their his its another other others"
)
MONTHS = words(
    "january february march april may june july august september october november december"
)
WEEKDAYS = words("monday tuesday wednesday thursday friday saturday sunday")
NUMBERS = words(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
)
EVALUATIVE = words(
    "great good bad nice way thing lot bit mess nightmare dream joy pleasure fan problem shame pain"
    " big huge total real true best worst better worse amazing awesome fantastic terrible horrible"
    " perfect wonderful beautiful lovely cool fun must blast hit treat gem godsend lifesaver"
    " reminder part kind sort type reason result sign chance challenge bummer beginner mistake"
    " million couple few little beast star hero angel delight disaster hoot idiot genius"
)
