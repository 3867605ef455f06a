import { invalidRequest } from '../../errors/gateway-error.ts';

/** Who a part of a form is for. */
export interface PartHeader {
  readonly name: string;
  /** Present on files only. */
  readonly filename?: string;
}

/** `file`, `timestamp_granularities[]`, `chunking_strategy[type]`. */
const NAME = /^[A-Za-z_][\w.-]{0,127}(?:\[[\w.-]{0,64}\]){0,4}$/;
/** Forms of browsers and of all SDKs: quoted texts, in which a quote is `%22` or `\"`. */
const DISPOSITION = /^form-data((?:;[ \t]*[A-Za-z*]+=(?:"(?:[^"\\]|\\.)*"|[^\s";]+))+)[ \t]*$/i;
const PARAMETER = /;[ \t]*([A-Za-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/g;
const MAX_FILENAME = 1_024;
// eslint-disable-next-line no-control-regex -- control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;
const known: ReadonlySet<string> = new Set([
  'content-disposition',
  'content-type',
  'content-length',
  'content-transfer-encoding',
]);
const encodings: ReadonlySet<string> = new Set(['binary', '8bit', '7bit']);

const refuse = (what: string): never => {
  throw invalidRequest('', `The form has a part ${what}. Send parts as the SDKs and curl -F do.`);
};

/** One value: two parsers read a repeated header differently. */
const readOne = (header: Readonly<Record<string, readonly string[]>>, name: string): string | undefined => {
  const values = header[name];
  if (values !== undefined && values.length > 1) refuse(`with several headers '${name}'`);
  return values?.[0];
};

const readDisposition = (text: string): ReadonlyMap<string, string> => {
  const found = DISPOSITION.exec(text);
  const parameters = new Map<string, string>();
  if (found === null)
    return refuse('whose content-disposition is not form-data with a name, such as form-data; name="model"');
  for (const [, key = '', quoted, plain] of (found[1] ?? '').matchAll(PARAMETER)) {
    const name = key.toLowerCase();
    if (parameters.has(name)) refuse(`whose content-disposition repeats '${name}'`);
    parameters.set(name, quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '');
  }
  return parameters;
};

/**
 * Reads the headers of a part. What two parsers could read differently is refused.
 * @param header values by lower-case name, as latin1
 * @throws GatewayError 400
 */
export function readPartHeader(header: Readonly<Record<string, readonly string[]>>): PartHeader {
  for (const name of Object.keys(header)) if (!known.has(name)) refuse('with a header other than those of forms');
  const encoding = readOne(header, 'content-transfer-encoding');
  if (encoding !== undefined && !encodings.has(encoding.toLowerCase())) refuse('with a content-transfer-encoding');
  if (readOne(header, 'content-type')?.toLowerCase().startsWith('multipart/') === true)
    refuse('that is a multipart of its own');
  const parameters = readDisposition(readOne(header, 'content-disposition') ?? '');
  const name = parameters.get('name');
  if (name === undefined || !NAME.test(name)) return refuse('without a name, or with one that no field has');
  const filename = parameters.get('filename');
  // `filename*` is not allowed in forms: https://www.rfc-editor.org/rfc/rfc7578#section-4.2
  if (filename === undefined)
    return parameters.has('filename*') ? refuse("with 'filename*' but no 'filename'") : { name };
  const text = Buffer.from(filename, 'latin1').toString('utf8');
  if (text.length > MAX_FILENAME || CONTROL.test(text))
    return refuse('with a file name that is too long or not a text');
  return { name, filename: text };
}
