import type { Answer, Call } from './answers.ts';
import type { Position } from './conversation.ts';

/** What an agent's tools are called, with their arguments. */
export interface Tools {
  read(path: string): Call;
  /** The search for a tool that is not loaded and a call of it, one per response, and what the tool returns. */
  readonly search?: { readonly calls: readonly Call[]; readonly result: string };
  /** How a subagent returns its result, if not by its last text. */
  finish?(result: string): Call;
  /** The calls that start a subagent with this prompt and wait for its result, one per response. */
  delegate(prompt: string): readonly Call[];
}

export const files = { one: 'content of the first file', two: 'content of the second file' } as const;
export const SUMMARY = 'Summary: two files were read.';
/** A PNG of one red pixel. */
export const PICTURE = [
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
].join('');

/** What the model writes at the end of a turn that went well. */
export const doneOf = (turn: string): string => `The turn ${turn} is done.`;

const check = (turn: string, isRight: boolean, wrong: string): Answer => ({
  text: isRight ? doneOf(turn) : `The turn ${turn} is wrong: ${wrong}`,
});

type Act = (position: Position, tools: Tools, folder: string) => Answer;

/** What the model does in each turn of the script. */
const acts: Readonly<Record<string, Act>> = {
  plain: () => ({ text: doneOf('plain') }),
  parallel: ({ step, since }, tools, folder) =>
    step === 0
      ? { text: 'I will read both.', calls: Object.keys(files).map((name) => tools.read(`${folder}/${name}`)) }
      : check(
          'parallel',
          Object.values(files).every((text) => since.includes(text)),
          'a result is missing',
        ),
  error: ({ step, since }, tools, folder) =>
    step === 0
      ? { calls: [tools.read(`${folder}/missing`)] }
      : check('error', /not exist|no such|not found|cannot|error/i.test(since), 'the error is missing'),
  // Four responses: two calls at once, one that fails, one more, and the end.
  loop: ({ step, since }, tools, folder) => {
    const [first, ...others] = Object.keys(files).map((name) => tools.read(`${folder}/${name}`));
    const calls = [[first!, ...others], [tools.read(`${folder}/missing`)], [first!]][step];
    return calls === undefined
      ? check(
          'loop',
          Object.values(files).every((text) => since.includes(text)),
          'a result is missing',
        )
      : { ...(step === 0 ? { text: 'I will read both.' } : {}), calls };
  },
  image: ({ since }) => check('image', since.includes(PICTURE.slice(0, 60)), 'the picture is missing'),
  cut: ({ step }) => (step === 0 ? { text: 'A long text that is', isCut: true } : { text: doneOf('cut') }),
  full: () => ({ text: doneOf('full'), isFull: true }),
  after: ({ whole }) =>
    check('after', whole.includes(SUMMARY) && !whole.includes(doneOf('plain')), 'the history is not the summary'),
  delegate: ({ step, since }, tools) => {
    const call = tools.delegate('[[turn child]] Say that you are done.')[step];
    return call === undefined
      ? check('delegate', since.includes(doneOf('child')), 'the result of the subagent is missing')
      : { calls: [call] };
  },
  found: ({ step, since }, { search = { calls: [], result: '' } }) => {
    const call = search.calls[step];
    return call === undefined
      ? check('found', since.includes(search.result), 'the result of the tool is missing')
      : { calls: [call] };
  },
  child: (_, { finish }) => (finish === undefined ? { text: doneOf('child') } : { calls: [finish(doneOf('child'))] }),
  switched: () => ({ text: doneOf('switched') }),
  back: () => ({ text: doneOf('back') }),
  endless: () => ({ text: 'This goes on', isEndless: true }),
  resumed: () => ({ text: doneOf('resumed') }),
};

/** The model's response at this position. What is no turn of the script is a request of the agent's own. */
export const answerAt = (position: Position, tools: Tools, folder: string): Answer => {
  const { turn = '', since } = position;
  return (since.includes(doneOf(turn)) ? undefined : acts[turn]?.(position, tools, folder)) ?? { text: SUMMARY };
};
