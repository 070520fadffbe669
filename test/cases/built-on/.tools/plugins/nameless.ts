import { definePlugin } from "dottool";

export default definePlugin({ name: "no name" });
