@name second
@wrapped first
