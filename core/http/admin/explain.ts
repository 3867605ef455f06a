import { operationNames } from '../../canonical/operation/operations.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject, Operation } from '../../canonical/wire.ts';
import type { AdminRouter, CallDescription } from '../../contracts/admin.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { flag, listOf, objectOf, onlyThese, text, texts } from './schemas.ts';

/** The request to explain: one with this key for this model. */
export interface ExplainRequest {
  /** Name, prefix or id of a key; never its secret. */
  readonly key: string;
  /** Id or alias. */
  readonly model: string;
  /** Absent: the first wire of the routes that the model is offered on. */
  readonly wire?: string;
  /** Needed if several keys have the name. */
  readonly organization?: string;
  readonly project?: string;
  /** The end user and the tags, as in the headers `x-koine-user` and `x-koine-tags`. */
  readonly user?: string;
  readonly tags?: string;
  /** What the client would send; absent: a small request. */
  readonly body?: JsonObject;
  /** Absent: the wire's main operation, which is not the counting of tokens. */
  readonly operation?: Operation;
  /** The response is streamed, regardless of the body. */
  readonly stream?: boolean;
  /** Show the call of every target, not only of the first. */
  readonly all?: boolean;
}

/**
 * Explains a request as plain data. Reserves nothing and sends nothing.
 * @throws GatewayError 4xx if the request itself would be refused
 */
export type Explain<T extends object = object> = (request: ExplainRequest) => Promise<T>;

const details = ['wire', 'organization', 'project', 'user', 'tags'] as const;
const switches = ['stream', 'all'] as const;
const members: readonly string[] = ['key', 'model', ...details, 'operation', ...switches, 'body'];

const readText = (body: JsonObject, name: string): string => {
  const text = body[name];
  if (typeof text === 'string' && text !== '') return text;
  throw invalidRequest(name, `${name} must be ${text === undefined ? 'given: ' : ''}text that is not empty.`);
};

const readSwitch = (body: JsonObject, name: string): boolean => {
  const value = body[name];
  if (typeof value === 'boolean') return value;
  throw invalidRequest(name, `${name} must be true or false.`);
};

const readOperation = (value: unknown): Operation => {
  const found = operationNames.find((operation) => operation === value);
  if (found !== undefined) return found;
  throw invalidRequest('operation', `operation must be one of ${operationNames.join(', ')}.`);
};

const readRequest = (body: unknown): ExplainRequest => {
  if (!isObject(body))
    throw invalidRequest('', 'The body must be an object: {"key":"alice","model":"provider/model"}.');
  const unknown = Object.keys(body).find((name) => !members.includes(name));
  if (unknown !== undefined)
    throw invalidRequest(
      unknown,
      `${JSON.stringify(unknown)} is not a known member; the body can have ${members.join(', ')}.`,
    );
  const { body: sent } = body;
  if (sent !== undefined && !isObject(sent))
    throw invalidRequest('body', 'body must be an object: what the client would send.');
  return omitUndefined({
    key: readText(body, 'key'),
    model: readText(body, 'model'),
    ...Object.fromEntries(
      details.filter((name) => body[name] !== undefined).map((name) => [name, readText(body, name)]),
    ),
    operation: body['operation'] === undefined ? undefined : readOperation(body['operation']),
    ...Object.fromEntries(
      switches.filter((name) => body[name] !== undefined).map((name) => [name, readSwitch(body, name)]),
    ),
    body: sent,
  });
};

const described: CallDescription = {
  summary: 'What the gateway would do with a request, up to the call that it would make. Sends and changes nothing.',
  role: 'viewer',
  body: onlyThese(
    {
      key: text,
      model: text,
      wire: text,
      organization: text,
      project: text,
      user: text,
      tags: text,
      operation: { enum: operationNames },
      stream: flag,
      all: flag,
      body: { type: 'object' },
    },
    ['key', 'model'],
  ),
  answer: objectOf({
    key: { type: 'object' },
    model: { type: 'object' },
    route: { type: 'object' },
    request: { type: 'object' },
    plugins: listOf({ type: 'object' }),
    targets: listOf({ type: 'object' }),
    notes: texts,
  }),
};

/** POST /admin/explain: docs/operate/explain.md. */
export function addExplainCall(router: AdminRouter, explain: Explain): void {
  router.post('/admin/explain', async ({ body }) => ({ body: await explain(readRequest(body)) }), described);
}
