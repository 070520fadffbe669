Reaches out.

@title Reach
@name reach
@allow fetch
@allow fetch https://api.example.com
@allow crypto sha256
@allow process
@allow fs.readfile
@allow tools.call
@allow tools.call a/b/c
@allow
@code
    return 1;
