@name: heads
@title="Heads"
@wrapped(linux) web_fetch
@param{string} text
@command(windows dir
@command(solaris) ls
@command(win) dir {text}
