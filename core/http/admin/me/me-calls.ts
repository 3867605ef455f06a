import type { CallDescription } from '../../../contracts/admin.ts';
import { keyCalls, keyList } from '../key-calls.ts';
import { roles } from '../roles.ts';
import { count, listOf, objectOf, onlyThese, text, texts } from '../schemas.ts';

/** The OpenAPI descriptions of the calls for a signed-in person. */
export const meCalls = {
  me: {
    summary: 'The signed-in person, and what keys the person can make.',
    role: 'developer',
    answer: objectOf(
      {
        name: text,
        role: { enum: roles },
        keys: objectOf(
          {
            projects: texts,
            models: texts,
            maxKeys: count,
            maxLifetime: text,
            limits: listOf({ type: 'object' }),
            url: text,
            available: texts,
            port: count,
            tls: { type: 'boolean' },
          },
          ['projects', 'maxKeys', 'maxLifetime', 'available', 'port', 'tls'],
        ),
      },
      ['name', 'role'],
    ),
  },
  list: {
    summary: 'The own keys of the signed-in person that are valid, or were in the last 31 days.',
    role: 'developer',
    answer: keyList,
  },
  create: {
    summary: 'Creates a key for the signed-in person. Only this response has its secret.',
    role: 'developer',
    body: onlyThese({ name: text, project: text, models: texts, expires: text }, ['name']),
    status: 201,
    answer: keyCalls.create.answer,
  },
  rotate: {
    summary: 'Replaces an own key by a new one with a new secret. The old one stays valid for the overlap.',
    role: 'developer',
    body: keyCalls.rotate.body,
    status: 201,
    answer: keyCalls.rotate.answer,
  },
  revoke: { summary: 'Revokes an own key permanently.', role: 'developer', answer: keyCalls.revoke.answer },
} as const satisfies Readonly<Record<string, CallDescription>>;
