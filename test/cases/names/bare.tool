@name bare
@command ls
