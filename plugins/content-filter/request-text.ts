import type { Draft, Part, Turn } from '../../core/api/index.ts';

/** Returns the text to use instead. */
export type ChangeText = (text: string, isJson: boolean) => string;

type Request = Draft['request'];

/** The list with changed members; the same list if none has changed. */
function changeList<T>(list: readonly T[], change: (member: T) => T): readonly T[] {
  const changed = list.map(change);
  return changed.some((member, index) => member !== list[index]) ? changed : list;
}

function changePart(part: Part, change: ChangeText): Part {
  switch (part.type) {
    case 'text':
    case 'refusal': {
      const text = change(part.text, false);
      return text === part.text ? part : { ...part, text };
    }
    case 'tool-call': {
      const input = change(part.input, part.kind === 'function');
      return input === part.input ? part : { ...part, input };
    }
    case 'tool-result': {
      const parts = changeList(part.parts, (inner) => changePart(inner, change));
      return parts === part.parts ? part : { ...part, parts };
    }
    // Reasoning is signed by its vendor. The rest has no text that the gateway knows.
    default:
      return part;
  }
}

const changeTurn = (turn: Turn, change: ChangeText): Turn => {
  const parts = changeList(turn.parts, (part) => changePart(part, change));
  return parts === turn.parts ? turn : { ...turn, parts };
};

/** Changes the texts of a request, in order: prompts, calls of tools and their results, inputs of embeddings. */
export function changeTexts(request: Request, change: ChangeText): Request {
  if ('inputs' in request) {
    const inputs = changeList(request.inputs, (input) => (typeof input === 'string' ? change(input, false) : input));
    return inputs === request.inputs ? request : { ...request, inputs };
  }
  const turns = changeList(request.turns, (turn) => changeTurn(turn, change));
  return turns === request.turns ? request : { ...request, turns };
}

/** A text of a request. */
export interface RequestText {
  readonly text: string;
  readonly isJson: boolean;
}

/** The texts of a request, in order. */
export function listTexts(request: Request): readonly RequestText[] {
  const texts: RequestText[] = [];
  changeTexts(request, (text, isJson) => {
    texts.push({ text, isJson });
    return text;
  });
  return texts;
}

/** @param texts in the order of {@link listTexts} */
export function replaceTexts(request: Request, texts: readonly string[]): Request {
  let next = 0;
  return changeTexts(request, (text) => texts[next++] ?? text);
}
