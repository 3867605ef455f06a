import { writeWav } from '../../../test/e2e/operations/audio.ts';
import type { Random } from '../random.ts';

/** A part as it is written: the text of its headers, and its bytes. */
interface Part {
  readonly head: string;
  readonly body: Buffer;
}
/** A form before it is written. */
export interface Form {
  /** Of the body. */
  readonly boundary: string;
  readonly parts: readonly Part[];
  readonly end: string;
  /** The header of the request. */
  readonly contentType: string;
}

const disposition = (name: string, rest = ''): string => `content-disposition: form-data; name="${name}"${rest}`;
const text = (name: string, value: string): Part => ({ head: disposition(name), body: Buffer.from(value) });
const file = (name: string, body: Buffer): Part => ({ head: disposition(name, '; filename="a.bin"'), body });

const WAV = writeWav(0.2);
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUg==', 'base64');

/** What one path takes. */
export interface FormPath {
  readonly path: string;
  readonly model: string;
  readonly parts: readonly Part[];
}
export const formPaths: readonly FormPath[] = [
  {
    path: '/v1/audio/transcriptions',
    model: 'vendor/audio',
    parts: [file('file', WAV), text('language', 'en'), text('timestamp_granularities[]', 'word')],
  },
  { path: '/v1/audio/translations', model: 'vendor/audio', parts: [file('file', WAV), text('prompt', 'Hello')] },
  {
    path: '/v1/images/edits',
    model: 'vendor/image',
    parts: [file('image[]', PNG), file('image[]', PNG), file('mask', PNG), text('prompt', 'x'), text('n', '1')],
  },
  { path: '/v1/images/variations', model: 'vendor/image', parts: [file('image', PNG), text('n', '1')] },
];

/** The bytes of a form. */
export const writeForm = ({ boundary, parts, end }: Form): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ head, body }) => [
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`, 'latin1'),
      body,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end, 'latin1'),
  ]);

const names = [
  'model',
  'Model',
  'model[]',
  'model[a]',
  'file',
  'image',
  'image[0]',
  'images',
  'mask',
  'x',
  'n',
  'stream',
];
const oddNames = [
  '',
  '__proto__',
  'constructor',
  'a'.repeat(300),
  '../x',
  'mod\u0000el',
  'mo"del',
  'mo\\"del',
  'ümlaut',
  '[]',
];
const values = ['other/model', '', 'true', '-1', '1e9', '{"a":1}', 'é😀', '\u0000', '\r\n--b\r\n', 'x'.repeat(70_000)];
const heads = [
  'content-type: multipart/mixed; boundary=c',
  'content-transfer-encoding: base64',
  'content-transfer-encoding: binary',
  'content-length: 3',
  'content-type: text/plain; charset=utf-16',
  'content-disposition: form-data; name="model"',
  'content-disposition : form-data; name="model"',
  ' folded: line',
  'x-model: other',
  `content-type: ${'a'.repeat(9_000)}`,
  'no colon',
];
const dispositions = [
  (name: string) => `content-disposition: form-data; name=${name}`,
  (name: string) => `content-disposition: form-data; name*=UTF-8''${name}`,
  (name: string) => `content-disposition: form-data; name="${name}"; name="model"`,
  (name: string) => `content-disposition: form-data; filename="a"; name="${name}"; filename*=UTF-8''b`,
  (name: string) => `content-disposition: attachment; name="${name}"`,
  (name: string) => `CONTENT-DISPOSITION: FORM-DATA; NAME="${name}"`,
  (name: string) => `content-disposition: form-data;name="${name}";filename="a\tb"`,
];
const contentTypes = [
  (boundary: string) => `multipart/form-data; boundary="${boundary}"`,
  (boundary: string) => `multipart/form-data; boundary=${boundary}; boundary=c`,
  (boundary: string) => `multipart/form-data; charset=utf-8; boundary=${boundary}`,
  (boundary: string) => `Multipart/Form-Data; Boundary=${boundary}`,
  (boundary: string) => `multipart/form-data; boundary=${boundary}x`,
  (boundary: string) => `multipart/form-data; boundary=${boundary.slice(1)}`,
  () => 'multipart/form-data',
  () => 'multipart/form-data; boundary=',
  () => `multipart/form-data; boundary=${'b'.repeat(80)}`,
  () => 'application/json',
];
const boundaries = ['-', "'()+_,-./:=?", 'b b', 'b'.repeat(70), '--', 'b\r\n'];

const oddPart = (random: Random): Part => {
  const name = random.pick(random.chance(0.7) ? names : oddNames);
  const value = random.pick(values);
  return random.chance(0.3) ? file(name, Buffer.from(value)) : text(name, value);
};

/** A part with an odd header, place of its header, or body. */
const change = (part: Part, random: Random): Part =>
  random.pick([
    () => ({ ...part, head: `${part.head}\r\n${random.pick(heads)}` }),
    () => ({ ...part, head: `${random.pick(heads)}\r\n${part.head}` }),
    () => ({ ...part, head: random.pick(dispositions)(random.pick(names)) }),
    () => ({ ...part, head: part.head.replaceAll('\r\n', '\n') }),
    () => ({ ...part, head: `${part.head}\r\n${'content-type: a\r\n'.repeat(random.pick([1, 20, 3_000]))}a: b` }),
    () => ({ ...part, body: Buffer.from(random.pick(values)) }),
    () => ({ ...part, body: Buffer.concat([part.body, Buffer.alloc(random.pick([1, 65_536, 700_000]), 97)]) }),
    () => ({ ...part, body: part.body.subarray(0, random.below(part.body.length + 1)) }),
  ] as const)();

type Change = (form: Form, random: Random) => Form;
const changes: readonly Change[] = [
  (form, random) => ({ ...form, parts: form.parts.toSorted(() => random.next() - 0.5) }),
  (form, random) => ({ ...form, parts: [...form.parts, random.pick(form.parts)] }),
  (form, random) => ({ ...form, parts: [oddPart(random), ...form.parts] }),
  (form, random) => ({ ...form, parts: [...form.parts, oddPart(random)] }),
  (form, random) => ({ ...form, parts: form.parts.toSpliced(random.below(form.parts.length), 1) }),
  (form, random) => {
    const at = random.below(form.parts.length);
    return { ...form, parts: form.parts.map((part, index) => (index === at ? change(part, random) : part)) };
  },
  (form, random) => ({
    ...form,
    parts: [...form.parts, ...Array.from({ length: random.pick([3, 70, 400]) }, () => text('x[]', 'y'))],
  }),
  (form, random) => ({ ...form, end: random.pick(['', `--${form.boundary}`, `--${form.boundary}-\r\n`, '\r\n']) }),
  // What follows the last boundary is no part, also if it looks like one.
  (form) => ({
    ...form,
    end: `${form.end}--${form.boundary}\r\n${disposition('model')}\r\n\r\nother/model\r\n${form.end}`,
  }),
  (form, random) => ({ ...form, contentType: random.pick(contentTypes)(form.boundary) }),
  (form, random) => {
    const boundary = random.pick(boundaries);
    const quoted = random.chance(0.5) ? `"${boundary}"` : boundary;
    return { ...form, boundary, end: `--${boundary}--\r\n`, contentType: `multipart/form-data; boundary=${quoted}` };
  },
];

/** A valid form of a path, changed in most cases. */
export function makeForm({ model, parts }: FormPath, random: Random): Form {
  const boundary = 'border';
  let form: Form = {
    boundary,
    parts: [...parts, text('model', model)],
    end: `--${boundary}--\r\n`,
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
  for (let times = random.below(4); times > 0 && form.parts.length > 0; times -= 1)
    form = random.pick(changes)(form, random);
  return form;
}
