"""Sources that a run did not read, by the kind of thing they write about."""

from __future__ import annotations

from typing import Final

# Kind of thing, whether it is a person, and sources one would look it up in; {n} is its name.
Sourced = tuple[str, bool, tuple[str, ...]]

SOURCED: Final[tuple[Sourced, ...]] = (
    (r"actor|actress|comedian|presenter|voice actor", True,
     ("the AllMovie biography", "a profile in The Hollywood Reporter", "the TV Guide biography", "a Variety profile", "the TCM biography")),
    (r"director|filmmaker|producer|screenwriter|animator", True,
     ("a Sight & Sound interview", "the BFI Screenonline biography", "a Variety profile", "the AllMovie biography")),
    (r"singer|musician|rapper|songwriter|guitarist|vocalist|drummer|pianist|bassist", True,
     ("the AllMusic biography", "a Rolling Stone profile", "a Billboard feature", "the Discogs profile", "the MusicBrainz record")),
    (r"composer|conductor|arranger", True,
     ("the Grove Music Online entry", "the Naxos biography", "the Gramophone profile", "the Oxford Companion to Music")),
    (r"footballer|player|athlete|cyclist|golfer|swimmer|runner|boxer|racer|wrestler|driver|baseman|fielder|coach|manager|fighter", True,
     ("an ESPN profile", "a Sports Illustrated feature", "a BBC Sport profile", "the Olympedia entry", "the Sports Reference page")),
    (r"politician|president|prime minister|senator|governor|mayor|king|queen|monarch|general|commander|ruler|emperor|speaker", True,
     ("the entry in Chambers Biographical Dictionary", "the Oxford Dictionary of Political Biography", "a History Today article", "the Encyclopedia of World Biography")),
    (r"author|novelist|writer|poet|playwright|journalist|cartoonist|creator", True,
     ("the Oxford Companion to English Literature", "the LibraryThing author page", "the Encyclopedia of World Literature entry", "a Paris Review essay")),
    (r"scientist|physicist|chemist|mathematician|naturalist|psychologist|biologist|engineer|inventor|professor|philosopher", True,
     ("the Complete Dictionary of Scientific Biography", "the MacTutor biography", "the Encyclopedia of World Biography", "a historical note in Nature")),
    (r"architect|artist|painter|designer|sculptor|illustrator", True,
     ("the Grove Art entry", "an Apollo magazine article", "the Benezit Dictionary of Artists", "an Architectural Digest feature")),
    (r"businessman|businesswoman|entrepreneur|executive|philanthropist|founder", True,
     ("a Bloomberg profile", "a Forbes profile", "a Fortune feature")),
    (r"outlaw|robber|killer|criminal", True, ("the Crime Museum page", "the American National Biography entry", "a True West article")),
    (r"bands?|duo|musical group|orchestra|musical project", False,
     ("the AllMusic biography", "the Discogs page", "a Rolling Stone feature", "the MusicBrainz record")),
    (r"film|movie|comedy|documentary|adaptation|melodrama|drama", False,
     ("the AFI Catalog entry", "the AllMovie page", "a Variety review", "the Letterboxd page", "the Turner Classic Movies page")),
    (r"series|show|sitcom|miniseries|soap opera|television channel|programme", False,
     ("the TV Guide page", "a Radio Times feature", "the TVDB record", "the Metacritic page")),
    (r"album|single|song|soundtrack", False, ("the AllMusic review", "the Discogs page", "a Pitchfork review", "the MusicBrainz record")),
    (r"symphon(?:y|ies)|opera|concerto|quintet|play|musical", False,
     ("the Grove Music Online entry", "the Oxford Companion to Music", "a Gramophone article", "the Playbill page")),
    (r"book|novel|novella|memoir|comic", False, ("the Kirkus review", "the WorldCat record", "a Publishers Weekly notice", "the LibraryThing page")),
    (r"video game|media franchise|game", False, ("the MobyGames page", "an IGN retrospective", "the GameFAQs page", "the GameSpot page")),
    (r"company|firm|chain|corporation|manufacturer|retailer|brand|label|distributor|conglomerate|publisher", False,
     ("a Bloomberg profile", "the Crunchbase page", "a Reuters company profile", "a Hoover's profile")),
    (r"team|club|league|stadium|arena|tournament|all-star game", False,
     ("an ESPN feature", "the Sports Reference page", "a Sports Illustrated feature", "the StadiumDB page")),
    (r"university|college|school|academy", False, ("the Times Higher Education profile", "the U.S. News page", "the QS profile", "the Princeton Review page")),
    (r"castle|museum|park|gardens?|palace|cathedral|temple|monument|landmark|ruins?|fortifications?", False,
     ("the Atlas Obscura page", "a Lonely Planet guide", "a National Geographic feature", "the Rough Guide")),
    (r"mountain|volcano|island|peninsula|lake|river|reef|atoll", False,
     ("a National Geographic article", "the Columbia Gazetteer", "the GeoNames record", "the World Atlas page")),
    (r"city|town|village|municipality|country|state|county|parish|port", False,
     ("the Columbia Gazetteer", "a Lonely Planet guide", "the World Atlas page", "the City Population page")),
    (r"species|genus|ferns?|orchids?|plant|tree|flower|bird|horse|racehorse", False,
     ("the Encyclopedia of Life page", "the GBIF record", "a National Geographic article")),
    (r"war|battle|siege|rivalry|raid|regiment|military|army|forces|special forces unit|unit", False,
     ("a History Today article", "the Osprey volume", "the Oxford Companion to Military History", "a Military History article")),
    (r"word|term|phrase|nickname|alias", False,
     ("the Online Etymology Dictionary", "the Merriam-Webster entry", "a Mental Floss article", "the Oxford Dictionary of Phrase and Fable")),
    (r"ship|vessel|voyage|railway|train|station|line|bridge|canal", False,
     ("a History Today article", "the Engineering Timelines page", "a Popular Mechanics article")),
    (r"festival|holiday|practice|tradition|religion", False,
     ("the Encyclopedia of Religion", "the Time and Date page", "a Smithsonian article", "a Folklore journal article")),
    (r"protein|toxin|element|gas|chemical|theory", False,
     ("the McGraw-Hill encyclopedia", "a Royal Society of Chemistry page", "the Scientific American article", "the ScienceDirect overview")),
    (r"currency|coin|banknote|note", False, ("the Standard Catalog of World Coins", "the Numista page", "a Coin World article")),
)  # fmt: skip

PERSON: Final = ("the Encyclopedia of World Biography", "the NNDB page", "the Prabook entry")
LIVING: Final = ("a LinkedIn profile", "the Famous Birthdays page")
DEAD: Final = ("the Find a Grave page", "the entry in Chambers Biographical Dictionary")
ANY: Final = (
    "the Oxford Reference entry", "the Columbia Encyclopedia", "the Encyclopedia.com entry", "the Infoplease entry",
    "the World Book article", "a Smithsonian article", "the New World Encyclopedia",
)  # fmt: skip
