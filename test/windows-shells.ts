// What tests import that analyze or bind scripts for PowerShell and cmd.exe without a session, which would load this.
import type {} from "../src/core/base/bind-shell.ts";
import type {} from "../src/core/language/kinds/windows-scripts.ts";
import { loadPart, useFeatures } from "../src/core/tool/feature.ts";
import { features } from "../src/features/index.ts";

useFeatures(features);
await Promise.all([loadPart("windowsScripts"), loadPart("bindWindows")]);
