Without a list these are names like any other.

@title Item
@name item
@param item {string} What to say
@step index runs
    echo {item}
@output
    {index}
