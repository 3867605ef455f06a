import { expect } from 'chai';
import { GOOGLE } from '../support/scene.ts';
import { answerJson, type TestUpstream } from '../support/upstream.ts';
import { chatError, googleError, messagesError } from '../matrix/failures/failure-case.ts';
import type { Json, Wire } from '../matrix/wires.ts';
import { startTenants, type Tenants } from './support/tenants.ts';

/** Errors of vendors about files, caches, earlier responses and models that only the request names. */
const refusals: readonly (readonly [what: string, wire: Wire, status: number, body: Json])[] = [
  [
    'a file that expired',
    'google',
    403,
    googleError(403, 'PERMISSION_DENIED', 'You do not have permission to access the File abc-123 or it may not exist.'),
  ],
  [
    'a cache of another project',
    'google',
    403,
    googleError(403, 'PERMISSION_DENIED', 'CachedContent not found (or permission denied)'),
  ],
  [
    'a cache that expired',
    'google',
    404,
    googleError(
      404,
      'NOT_FOUND',
      'Cached content projects/1/locations/us/cachedContents/models/gemini-2.5-flash is not found.',
    ),
  ],
  [
    'the service of a tool',
    'google',
    403,
    googleError(403, 'PERMISSION_DENIED', 'Discovery Engine API has not been used.', [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'SERVICE_DISABLED',
        metadata: { service: 'discoveryengine.googleapis.com' },
      },
    ]),
  ],
  [
    'an earlier response',
    'responses',
    404,
    chatError(
      "Previous response with id 'resp_gpt-4.1' not found.",
      'invalid_request_error',
      null,
      'previous_response_id',
    ),
  ],
  ['a container', 'responses', 404, chatError("Container with id 'cntr_1' not found.", 'invalid_request_error')],
  [
    'a vector store',
    'responses',
    404,
    chatError(
      "Vector stores 'vs_1' not found.",
      'invalid_request_error',
      'model_not_found',
      'tools[0].vector_store_ids',
    ),
  ],
  [
    'the model of a tool',
    'responses',
    403,
    chatError(
      'Project has no access to the model gpt-image-9.',
      'invalid_request_error',
      'model_not_found',
      'tools[0].model',
    ),
  ],
  [
    'the server of a tool',
    'responses',
    401,
    chatError('Error retrieving tool list from MCP server.', 'external_connector_error', 'http_error', 'tools'),
  ],
  [
    'a locked conversation',
    'responses',
    409,
    chatError('Another process is using this conversation.', 'invalid_request_error', 'conversation_locked'),
  ],
  ['a file', 'chat', 404, chatError('No such File object: file-1', 'invalid_request_error', null, 'file_id')],
  [
    'a moderated prompt',
    'chat',
    403,
    { error: { code: 403, message: 'Your prompt was flagged.', metadata: { reasons: ['violence'] } } },
  ],
  ['a file', 'messages', 404, messagesError('not_found_error', 'File not found: file_011')],
  ['a container', 'messages', 404, messagesError('not_found_error', 'Container container_1 not found')],
  ['the model of a tool', 'messages', 404, messagesError('not_found_error', 'model: claude-of-the-tool')],
  [
    'a resource',
    'messages',
    403,
    messagesError('permission_error', 'Your API key does not have permission to use the specified resource.'),
  ],
];

describe('errors about objects that only the request names', () => {
  let tenants: Tenants;
  before(async () => {
    tenants = await startTenants();
  });
  after(() => tenants.stop());

  for (const [what, wire, status, body] of refusals) {
    it(`counts the error as the caller's fault: ${what}, ${status} on ${wire}`, async () => {
      const answer: TestUpstream['answer'] = (response) => answerJson(response, body, status);
      for (const stream of [false, true]) {
        for (const reply of await tenants.attack(wire, { stream }, answer)) {
          expect(reply.status, reply.text).to.equal(status);
          expect(JSON.parse(reply.text), 'the body of the vendor').to.deep.equal(body);
        }
      }
      await tenants.expectUnharmed(wire);
    });
  }

  it("keeps the status of an error about the caller's objects for clients of other wires", async () => {
    const body = googleError(
      403,
      'PERMISSION_DENIED',
      'You do not have permission to access the File abc-123 or it may not exist.',
    );
    const answer: TestUpstream['answer'] = (response) => answerJson(response, body, 403);
    for (const client of ['chat', 'messages', 'responses'] as const) {
      for (const { status, text } of await tenants.attack(client, {}, answer, GOOGLE)) {
        expect(status, text).to.equal(403);
        expect(text).to.contain('File abc-123');
      }
    }
    await tenants.expectUnharmed('google');
  });
});
