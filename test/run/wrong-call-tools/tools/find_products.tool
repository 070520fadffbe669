Find products of a shop.

@title Find Products
@name find_products
@wrapped run_command
@command printf '%s\n' {query} {max_price} {limit} {in_stock}
@param query {string} [required] Words
@param max_price {number} [min=0] In the shop's currency
@param limit {integer} [min=1, max=50] How many
@param in_stock {boolean} [flag="--in-stock"] Only what is there
@tags read
