import { isObject } from '../../canonical/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { AdminRouter } from '../../contracts/admin.ts';
import { invalidRequest } from '../../errors.ts';

/** What is to be explained: what would become of a request with this key for this model. */
export interface ExplainQuestion {
  /** Name, prefix or id of a key; never its secret. */
  readonly key: string;
  /** Id or alias. */
  readonly model: string;
  /** Absent: the first wire of the routes that the model is offered on. */
  readonly wire?: string;
  /** Where several keys have the name. */
  readonly organization?: string;
  readonly project?: string;
  /** What the client would send; absent: a small request. */
  readonly body?: JsonObject;
}

/** Answers with plain data. Reserves nothing and sends nothing. @throws GatewayError 4xx for what would be refused anyway */
export type Explain = (question: ExplainQuestion) => Promise<object>;

const texts = ['wire', 'organization', 'project'] as const;
const members: readonly string[] = ['key', 'model', ...texts, 'body'];

const readText = (body: JsonObject, name: string): string => {
  const text = body[name];
  if (typeof text === 'string' && text !== '') return text;
  throw invalidRequest(name, `${name} must be ${text === undefined ? 'given: ' : ''}text that is not empty.`);
};

const readQuestion = (body: unknown): ExplainQuestion => {
  if (!isObject(body)) throw invalidRequest('', 'The body must be an object: {"key":"alice","model":"provider/model"}.');
  const unknown = Object.keys(body).find((name) => !members.includes(name));
  if (unknown !== undefined) throw invalidRequest(unknown, `${JSON.stringify(unknown)} is not known here; the body may have ${members.join(', ')}.`);
  const { body: sent } = body;
  if (sent !== undefined && !isObject(sent)) throw invalidRequest('body', 'body must be an object: what the client would send.');
  return {
    key: readText(body, 'key'),
    model: readText(body, 'model'),
    ...Object.fromEntries(texts.filter((name) => body[name] !== undefined).map((name) => [name, readText(body, name)])),
    ...(sent === undefined ? {} : { body: sent }),
  };
};

/** POST /admin/explain: docs/admin.md. */
export const addExplainCall = (router: AdminRouter, explain: Explain): void => {
  router.post('/admin/explain', async ({ body }) => ({ body: await explain(readQuestion(body)) }));
};
