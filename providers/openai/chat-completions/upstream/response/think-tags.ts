const OPEN = '<think>';
const CLOSE = '</think>';
/** White space before the tag. After more of it, the text counts as text. */
const MOST_SPACE = 64;

/** What a piece of text holds of the reasoning, and of the text after it. */
export interface Thought {
  readonly reasoning: string;
  readonly text: string;
}
const NOTHING: Thought = { reasoning: '', text: '' };

/** The length of the longest end of the text with which the closing tag can start. */
const countPartial = (text: string): number => {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  return 0;
};

/**
 * Separates reasoning in tags at the start of a text from the text after it, piece by piece. Tags further on are text.
 */
export class ThinkTags {
  #state: 'start' | 'inside' | 'after' | 'text' = 'start';
  /** What can still become part of a tag. */
  #held = '';

  add(piece: string): Thought {
    if (this.#state === 'text') return { reasoning: '', text: piece };
    const text = this.#held + piece;
    this.#held = '';
    if (this.#state === 'start') return this.#start(text);
    return this.#state === 'inside' ? this.#think(text) : this.#follow('', text);
  }

  /** What is left when the text ends. */
  end(): Thought {
    const held = this.#held;
    this.#held = '';
    if (this.#state === 'inside') return { reasoning: held, text: '' };
    return held.trim() === '' ? NOTHING : { reasoning: '', text: held };
  }

  #start(text: string): Thought {
    const begun = text.trimStart();
    const isStart = text.length - begun.length < MOST_SPACE;
    if (isStart && begun.startsWith(OPEN)) return this.#think(begun.slice(OPEN.length));
    if (isStart && OPEN.startsWith(begun)) {
      this.#held = text;
      return NOTHING;
    }
    this.#state = 'text';
    return { reasoning: '', text };
  }

  #think(text: string): Thought {
    const end = text.indexOf(CLOSE);
    if (end >= 0) return this.#follow(text.slice(0, end), text.slice(end + CLOSE.length));
    this.#state = 'inside';
    const whole = text.length - countPartial(text);
    this.#held = text.slice(whole);
    return { reasoning: text.slice(0, whole), text: '' };
  }

  /** White space between the reasoning and the text belongs to neither. */
  #follow(reasoning: string, following: string): Thought {
    const text = following.trimStart();
    this.#state = text === '' ? 'after' : 'text';
    return { reasoning, text };
  }
}
