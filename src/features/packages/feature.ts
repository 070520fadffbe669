import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: {
    add: async () => (await import("./commands/add.ts")).addCommand,
    remove: async () => (await import("./commands/remove.ts")).removeCommand,
    search: async () => (await import("./commands/search.ts")).searchCommand,
    publish: async () => (await import("./commands/publish.ts")).publishCommand,
    update: async () => (await import("./commands/update.ts")).updateCommand,
    outdated: async () => (await import("./commands/outdated.ts")).outdatedCommand,
    audit: async () => (await import("./commands/audit.ts")).auditCommand,
    install: async () => (await import("./commands/install.ts")).installCommand,
  },
  parts: {
    listPackages: async () => (await import("./commands/list-packages.ts")).listPackages,
    unapprovedFailure: async () => (await import("./unapproved-packages.ts")).unapprovedFailure,
    packageFolders: async () => (await import("./installed-packages.ts")).packageFolders,
    packageRules: async () => (await import("./package-rules.ts")).packageRules,
    newestVersion: async () => (await import("./newest-version.ts")).newestVersion,
  },
};
