// Masks the secrets of a call in its events while it runs.
import type { ToolEvent } from "../tool/tool.ts";
import type { SearchedForms } from "./masks/forms.ts";
import { OutputMasks, type Piece } from "./masks/output-masks.ts";

export interface StreamMask {
  readonly forms: SearchedForms;
  readonly text: (text: string) => string;
}

type Emit = (event: ToolEvent) => void | Promise<void>;

export function maskStream(emit: Emit, { forms, text }: StreamMask): { readonly emit: Emit; flush(): Promise<void> } {
  const output = new OutputMasks(forms);
  return {
    emit: (event) => {
      switch (event.kind) {
        case "progress":
        case "log":
          return emit({ ...event, text: text(event.text) });
        case "resource-changed":
          return emit({ ...event, uri: text(event.uri) });
        case "step":
          return emit(event);
        case "output":
          return hand(output.write(event), emit);
      }
    },
    flush: async () => hand(output.end(), emit),
  };
}

/** Passes on pieces. Returns a promise if the reader is slow. */
function hand([first, ...rest]: readonly Piece[], emit: Emit): void | Promise<void> {
  if (!first) return undefined;
  const wait = emit({ kind: "output", ...pieceOf(first) });
  if (rest.length === 0) return wait;
  return wait === undefined ? hand(rest, emit) : wait.then(() => hand(rest, emit));
}

function pieceOf({ stream, bytes }: Piece): Piece {
  return { stream, bytes };
}
