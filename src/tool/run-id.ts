// How a process tells which runs it is a part of.

/** Of what a process is started with: the ids of all runs it belongs to, outermost first, with `:` between. */
export const RUN_ID_VARIABLE = "DOTTOOL_RUN_ID";
