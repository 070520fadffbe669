Tell a price.

@title Price
@name shop/price
@wrapped run_command
@command printf '%s\n' {product} {amount}
@param product {string} [required] Which one
@param amount {integer} [min=1] How many
@tags read
