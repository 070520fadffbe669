@name first
@wrapped second
