Fetches a page.

@title Page
@name page
@wrapped web_fecth
@with url = https://example.com/
