@name stray
@wrapped web_fetch

This was meant as the description,
and has two lines.

@note for readers

And this too.
@test x
    expect exit-code 0
not in the body
