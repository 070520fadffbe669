// The composer of a session: steps of its tools can put their items into the user's queue.
import { type Composer, composer } from "../../core/builder/composer.ts";

export const queueingComposer: Composer = {
  ...composer,
  composedTool: (definition, options) =>
    composer.composedTool(definition, {
      ...options,
      openQueue: async (step, caller, context) =>
        (await import("./step-queue.ts")).openStepQueue(step, caller, context),
    }),
};
