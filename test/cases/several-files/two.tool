@wrapped web_fetch
@platforms mac

left over
