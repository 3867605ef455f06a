import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { CallDescription } from '../../contracts/admin.ts';
import { leastRole } from './roles.ts';
import { optionalText, text, wholeOf } from './schemas.ts';

export interface AdminCall {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  /** The core or the plugin that adds it. */
  readonly owner: string;
  readonly description?: CallDescription;
}

/** The version of the API, not of the gateway. */
const VERSION = '1';
const OPENAPI = '3.1.0';

const errorSchema = wholeOf({ error: wholeOf({ message: text, type: text, param: optionalText, code: text }) });
const failed = {
  description: 'What is wrong, where, and what to do.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

const healthCalls: readonly AdminCall[] = [
  ['/livez', 'Is the process alive?'],
  ['/readyz', 'Is it ready for requests?'],
  ['/startupz', 'Has it started?'],
].map(([path = '', summary = '']) => ({ method: 'get', path, owner: 'the core', description: { summary } }));

const namesIn = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const parametersOf = (path: string, { query = {}, conditional = false }: CallDescription): readonly JsonObject[] => [
  ...namesIn(path).map((name) => ({ name, in: 'path', required: true, schema: text })),
  ...Object.entries(query).map(([name, description]) => ({ name, in: 'query', description, schema: text })),
  ...(conditional
    ? [
        {
          name: 'if-match',
          in: 'header',
          description: 'The ETag of the state that was read; 412 if it has changed since.',
          schema: text,
        },
      ]
    : []),
];

const describeCall = ({
  method,
  path,
  owner,
  description = { summary: `Added by ${owner}.` },
}: AdminCall): JsonObject => {
  const { summary, body, status = 200, answer = {}, type = 'application/json' } = description;
  const parameters = parametersOf(path, description);
  return omitUndefined({
    operationId: `${method}${path.replaceAll(/\W+/g, '_').replace(/_$/, '')}`,
    summary,
    tags: [owner],
    'x-koine-role': leastRole(method, description),
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: body && { content: { 'application/json': { schema: body } } },
    responses: {
      [status]: { description: 'Done.', content: { [type]: { schema: type === 'application/json' ? answer : text } } },
      default: failed,
    },
  });
};

/** The calls as an OpenAPI document. @param hasToken all calls except health require the admin token */
export function describeApi(calls: readonly AdminCall[], hasToken: boolean): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const call of healthCalls) paths[call.path] = { [call.method]: { ...describeCall(call), security: [] } };
  for (const call of calls) paths[call.path] = { ...paths[call.path], [call.method]: describeCall(call) };
  return {
    openapi: OPENAPI,
    info: { title: 'Admin API of Koine', version: VERSION, description: 'For operators, on a listener of its own.' },
    security: hasToken ? [{ token: [] }] : [],
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'admin.token of the configuration.' } },
    },
  };
}
