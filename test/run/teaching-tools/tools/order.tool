Order something, in many kinds of values.

@title Order
@name order
@wrapped run_command
@command printf '%s\n' {item} {count} {price} {express} {size} {colors} {notes} {day} {link} {code} {label} {wait_s} {max_bytes} {share}
@param item {string} [required, pattern=/[a-z][a-z0-9-]*/] What
@param count {integer} [default=1, min=1, max=100] How many
@param price {number} [min=0] At most this
@param express {boolean} [flag="--express"] Quickly
@param size {"small"|"medium"|"large"} [default=medium] How big
@param colors {array<"red"|"green"|"blue">} [unique, max=3] Which colours
@param notes {array<string>} [min=1, max=3] More words
@param day {string} [pattern=/\d{4}-\d{2}-\d{2}/] When
@param link {url} Where it is described
@param code {string} [pattern=/[A-Z]{3}-\d{4}/] Its number
@param label {string} [min=3, max=10] What stands on it
@param wait_s {number} [min=0, max=3600] Wait for so long
@param max_bytes {integer} [min=0] At most so large
@param share {number} [min=0, max=1] A part of it
@tags read
