throw new Error("a plugin that nobody has trusted was loaded");
