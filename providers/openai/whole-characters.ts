/** Text as it may be shown so far. */
export interface WholeText {
  /** What can be shown of the text up to here and was not shown before. */
  add(fragment: string): string;
  /** The half that nothing followed, at the end of the text. */
  rest(): string;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Vendors cut text between the halves of a surrogate pair; a half waits for the other, so that no client is shown a broken character. */
export function createWholeText(): WholeText {
  let half = '';
  return {
    add: (fragment) => {
      const text = half + fragment;
      half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
      return half === '' ? text : text.slice(0, -1);
    },
    rest: () => half,
  };
}
