Step.

@title Step
@name steps
@step a uses mcp:github/search_code
  query = x
