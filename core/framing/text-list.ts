import { planSearch } from '../canonical/text/search-texts.ts';
import { replaceSpans, type Span } from '../canonical/text/sensitive-text.ts';
import type { TextMembers } from '../canonical/text/text-members.ts';
import { walkTexts, type TextKind, type Unreadable } from './walk-texts.ts';

/** A text of a request or a response. */
export interface ListedText {
  text: string;
  readonly kind: TextKind;
}

/** Something that rules cannot read. */
export interface UnreadableValue {
  readonly kind: Unreadable;
  /** The first place of this kind, as in {@link TextList.pathOf}. */
  readonly path: string;
}

/** The texts of a request or a response in JSON. They can be searched and changed. */
export class TextList<T> {
  readonly unreadable: readonly UnreadableValue[];
  /** Objects, lists, strings, numbers and literals of the value. */
  readonly values: number;
  readonly texts: readonly ListedText[];
  /** The texts that a reader joins, in order; most stand by themselves. */
  readonly groups: readonly (readonly ListedText[])[];
  readonly #value: T;
  readonly #members: TextMembers;

  constructor(value: T, members: TextMembers) {
    const texts: ListedText[] = [];
    const groups: ListedText[][] = [];
    const runs = new Map<number, ListedText[]>();
    const unreadable: UnreadableValue[] = [];
    this.values = walkTexts(value, members, {
      text: (text, kind, run) => {
        const listed = { text, kind };
        texts.push(listed);
        const known = run === 0 ? undefined : runs.get(run);
        if (known !== undefined) known.push(listed);
        else {
          const group = [listed];
          groups.push(group);
          if (run !== 0) runs.set(run, group);
        }
        return text;
      },
      unreadable: (kind, path) => {
        if (unreadable.every((known) => known.kind !== kind)) unreadable.push({ kind, path: path() });
      },
    }).values;
    this.texts = texts;
    this.groups = groups;
    this.unreadable = unreadable;
    this.#value = value;
    this.#members = members;
  }

  /** Where a text is: words of the wire and positions. Names that a caller has chosen are `*`. */
  pathOf(text: ListedText): string {
    let next = 0;
    let found = '';
    walkTexts(this.#value, this.#members, {
      text: (unchanged, _kind, _run, path) => {
        if (this.texts[next++] === text) found = path();
        return unchanged;
      },
    });
    return found;
  }

  /** @returns the value with the texts as they are now; the same if none has changed */
  write(): T {
    let next = 0;
    const text = (unchanged: string): string => this.texts[next++]?.text ?? unchanged;
    return walkTexts(this.#value, this.#members, { text }).value;
  }
}

/** @returns a copy in which everything that is found is replaced; the same value if nothing is */
export function redactTexts<T>(
  value: T,
  members: TextMembers,
  find: (text: string) => readonly Span[],
  replacement: string,
): T {
  const list = new TextList(value, members);
  for (const group of list.groups) {
    const plan = planSearch(group.map(({ text }) => text));
    for (const [index, spans] of plan.place(plan.searched.map(find)).entries()) {
      const listed = group[index];
      if (listed !== undefined) listed.text = replaceSpans(listed.text, spans, replacement);
    }
  }
  return list.write();
}
