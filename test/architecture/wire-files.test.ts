import { expect } from 'chai';
import { sourceFiles } from './source-files.ts';
import { listWireFaults, type WireSource } from './wire-files.ts';

const wires = sourceFiles.filter(({ path }) => path.startsWith('providers/'));
const folder = 'providers/anthropic/messages';

/** The tree with one change. */
const change = (path: string, edit: (file: WireSource) => WireSource | undefined): readonly WireSource[] =>
  wires.flatMap((file) => (file.path === path ? (edit(file) ?? []) : [file]));
const rename = (path: string, to: string): readonly WireSource[] => change(path, (file) => ({ ...file, path: to }));
const replace = (path: string, from: string, to: string): readonly WireSource[] =>
  change(path, (file) => ({
    ...file,
    code: file.code.replace(from, to),
    imports: file.imports.map((each) => each.replace(from, to)),
  }));

describe('the files of a wire', () => {
  it('every wire has its request, response, stream, usage, finish, error and tap in files of these names', () => {
    expect(listWireFaults(wires)).to.deep.equal([]);
  });

  const broken: readonly (readonly [title: string, tree: readonly WireSource[], fault: string])[] = [
    [
      'a finish reason in a file of another name',
      rename(`${folder}/finish.ts`, `${folder}/stop-reason.ts`),
      `${folder} has no finish.ts`,
    ],
    ['a wire without a file for its usage', change(`${folder}/usage.ts`, () => undefined), `${folder} has no usage.ts`],
    [
      'a stream in a file of another name',
      rename(`${folder}/upstream/response/stream.ts`, `${folder}/upstream/response/events.ts`),
      `${folder}/upstream has no stream.ts`,
    ],
    [
      'a request of a wire without clients in a file of another name',
      rename('providers/cohere/chat/request.ts', 'providers/cohere/chat/body.ts'),
      'providers/cohere/chat has no request.ts',
    ],
    [
      'a codec with its error from a file of another name',
      replace(`${folder}/index.ts`, 'upstream/response/error.ts', 'upstream/response/failures.ts'),
      `${folder}/index.ts has decodeError from failures.ts, not from error.ts`,
    ],
    [
      'a native wire without a tap',
      change(`${folder}/upstream/response/tap.ts`, () => undefined),
      `${folder} is sent natively and has no tap.ts`,
    ],
    [
      'a tap with a reader of its own for the finish reason',
      replace(`${folder}/upstream/response/tap.ts`, 'finish.ts', 'tap-finish.ts'),
      `${folder}/upstream/response/tap.ts does not read with finish.ts of the decoder`,
    ],
    [
      'a tap of embeddings with a reader of its own',
      change('providers/openai/embeddings/upstream/tap.ts', (file) => ({ ...file, imports: [] })),
      'providers/openai/embeddings/upstream/tap.ts does not read with usage.ts of the decoder',
    ],
  ];
  for (const [title, tree, fault] of broken)
    it(`finds ${title}`, () => {
      expect(listWireFaults(tree)).to.deep.equal([fault]);
    });
});
