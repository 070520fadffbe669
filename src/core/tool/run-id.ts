// The ids by which a process knows the runs that it belongs to.

/** The environment variable with the ids of all runs that a process belongs to: outermost first, separated by `:`. */
export const RUN_ID_VARIABLE = "DOTTOOL_RUN_ID";
