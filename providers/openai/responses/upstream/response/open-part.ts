import type { Citation, EmitEvent, GenerateEvent, Proof } from '../../../../../core/index.ts';
import { createWholeText } from '../../../whole-characters.ts';

type Start = Extract<GenerateEvent, { type: 'part-start' }>;

/** A part of the answer that is being read. */
export interface OpenPart {
  write(text: string, emit: EmitEvent): void;
  /** The whole text, as `done` events and finished items repeat it: only what was not yet said is. */
  complete(text: string, emit: EmitEvent): void;
  end(emit: EmitEvent, last?: { readonly proof?: Proof; readonly citations?: readonly Citation[] }): void;
  readonly empty: boolean;
}

/** An answer of this wire is always the first choice. */
const CHOICE = 0;

/** Begins a part. */
export function openPart(part: number, start: Pick<Start, 'kind' | 'call'>, emit: EmitEvent): OpenPart {
  let written = '';
  const whole = createWholeText();
  const say = (text: string, to: EmitEvent) => {
    if (text !== '') to({ type: 'part-delta', choice: CHOICE, part, text });
  };
  emit({ type: 'part-start', choice: CHOICE, part, ...start });
  const open: OpenPart = {
    get empty() {
      return written === '';
    },
    write: (text, to) => {
      written += text;
      say(whole.add(text), to);
    },
    complete: (text, to) => {
      if (text.length > written.length && text.startsWith(written)) open.write(text.slice(written.length), to);
    },
    end: (to, { proof, citations = [] } = {}) => {
      say(whole.rest(), to);
      to({
        type: 'part-end',
        choice: CHOICE,
        part,
        ...(proof === undefined ? {} : { proof }),
        ...(citations.length === 0 ? {} : { citations }),
      });
    },
  };
  return open;
}

/** A part that comes as a whole. */
export function writeWhole(part: number, start: Pick<Start, 'kind' | 'value'>, emit: EmitEvent): void {
  emit({ type: 'part-start', choice: CHOICE, part, ...start });
  emit({ type: 'part-end', choice: CHOICE, part });
}
