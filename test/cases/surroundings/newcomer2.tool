Deploy.
@command echo {dev|staging|prod}
