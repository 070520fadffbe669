Search the web with Google Programmable Search. Returns titles, addresses and excerpts.

@title Search the Web
@name WebSearch
@wrapped google_search
@tags network web
@keywords google find pages
@example {"query": "node single executable applications"}

@test needs words to search for
    with {}
    expect error-contains query
