import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { JsonObject } from '../../../core/canonical/wire.ts';
import { askAdmin, readJson } from '../../support/admin.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { entryOf } from '../../support/scene.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: JsonObject;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonObject }>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content: Readonly<Record<string, { readonly schema: JsonObject }>> }
    >
  >;
}
interface Api {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>>; readonly securitySchemes: object };
}
interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const settings = {
  providers: { simulator: { use: 'simulator' } },
  models: { 'simulator/chat': entryOf('simulator/chat') },
  plugins: ['metrics', 'auth', 'rate-limit', 'ledger', 'failover', 'dashboard'].map((use) => ({ use })),
};
const documented = readFileSync(join(import.meta.dirname, '../../../docs/reference/admin.md'), 'utf8');

describe('the OpenAPI description of the admin API', () => {
  let gateway: TestGateway;
  let api: Api;
  let calls: readonly Call[];
  before(async () => {
    gateway = await startTestGateway(settings);
    api = readJson<Api>(await askAdmin(gateway, 'GET', '/admin/openapi.json'));
    calls = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
  });
  after(() => gateway?.stop());
  const isFile = ({ path }: Call): boolean => path.startsWith('/dashboard/');

  it('the description lists every call of core and of every plugin', () => {
    expect(calls.filter((call) => !isFile(call)).map(({ method, path }) => `${method} ${path}`)).to.have.members([
      ...['/livez', '/readyz', '/startupz', '/', '/metrics', '/version'].map((path) => `GET ${path}`),
      ...[
        'keys',
        'keys/{id}',
        'projects',
        'tenants',
        'tenants/{id}',
        'playground',
        'proposals',
        'me',
        'me/keys',
        'me/usage',
        'me/requests',
        'sessions',
        'me/sessions',
        'config',
        'workers',
        'audit',
        'exchanges',
        'rates',
        'requests',
        'requests/{id}',
        'usage',
        'circuits',
        'limits',
        'pages',
        'openapi.json',
      ].map((name) => `GET /admin/${name}`),
      ...['keys', 'keys/bulk', 'keys/{id}/rotate', 'explain', 'reload', 'tenants', 'playground', 'proposals'].map(
        (name) => `POST /admin/${name}`,
      ),
      'PATCH /admin/keys/{id}',
      'PATCH /admin/tenants/{id}',
      'DELETE /admin/tenants/{id}',
      'DELETE /admin/keys/{id}',
      'POST /admin/me/keys',
      'POST /admin/me/keys/{id}/rotate',
      'DELETE /admin/me/keys/{id}',
      'DELETE /admin/sessions/{id}',
      'DELETE /admin/me/sessions/{id}',
    ]);
    expect(calls.filter(isFile)).to.not.have.length(0);
  });

  it('the description is OpenAPI 3.1 with unique names, path parameters, described responses and valid schemas', () => {
    expect(api.openapi).to.match(/^3\.1\.\d+$/);
    expect(api.info).to.have.keys('title', 'version', 'description');
    expect(new Set(calls.map(({ operation }) => operation.operationId)).size).to.equal(calls.length);
    const ajv = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false });
    const find = (reference: unknown): JsonObject | undefined =>
      api.components.schemas[String(reference).replace('#/components/schemas/', '')];
    const compile = (schema: JsonObject): unknown =>
      ajv.compile('$ref' in schema ? (find(schema['$ref']) ?? { unknown: schema['$ref'] }) : schema);
    for (const { method, path, operation } of calls) {
      const what = `${method} ${path}`;
      expect(path, what).to.match(/^\//);
      expect(operation.operationId, what).to.match(/^\w+$/);
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(
        inPath.map(({ name }) => `{${name}}`),
        what,
      ).to.deep.equal(path.match(/\{\w+\}/g) ?? []);
      for (const { required, schema } of inPath)
        expect([required, schema], what).to.deep.equal([true, { type: 'string' }]);
      expect(Object.keys(operation.responses), what).to.have.length(2).and.include('default');
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(status, what).to.match(/^(2\d\d|default)$/);
        expect(description, what).to.not.equal('');
        Object.values(content).forEach(({ schema }) => compile(schema));
      }
      Object.values(operation.requestBody?.content ?? {}).forEach(({ schema }) => compile(schema));
    }
  });

  it('the description has a sentence for each call', () => {
    for (const { method, path, operation } of calls) {
      expect(operation.summary, `${method} ${path}`).to.match(/^[A-Z].*[.?]$/);
      expect(operation.summary, `${method} ${path}`).to.not.match(/^Added by/);
    }
  });

  /** The calls for a signed-in person are made by test/sign-in/personal-keys.test.ts. */
  const isOfPerson = ({ path }: Call): boolean => path.startsWith('/admin/me');

  it('real responses match the description', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { method, path, operation } of calls.filter(
      (call) => call.method === 'GET' && !call.path.includes('{') && !isOfPerson(call),
    )) {
      const [[status = '', answer] = []] = Object.entries(operation.responses);
      const [[type = '', content] = []] = Object.entries(answer?.content ?? {});
      const reply = await askAdmin(gateway, method, path);
      expect([String(reply.status), String(reply.headers['content-type'] ?? type).split(';')[0]], path).to.deep.equal([
        status,
        type.split(';')[0],
      ]);
      if (type === 'application/json')
        expect(ajv.validate(content?.schema ?? {}, JSON.parse(reply.text)), `${path}: ${ajv.errorsText()}`).to.equal(
          true,
        );
    }
  });

  it('the description requires the token if one is configured', async () => {
    expect(api.security).to.deep.equal([]);
    const token = 'admin-token-0123456789';
    const closed = await startTestGateway({ ...settings, admin: { port: 0, token } });
    try {
      expect((await askAdmin(closed, 'GET', '/admin/openapi.json')).status).to.equal(401);
      const described = readJson<Api & { paths: { '/livez': { get: { security: unknown } } } }>(
        await askAdmin(closed, 'GET', '/admin/openapi.json', undefined, { authorization: `Bearer ${token}` }),
      );
      expect(described.security).to.deep.equal([{ token: [] }]);
      expect(described.components.securitySchemes).to.have.nested.property('token.scheme', 'bearer');
      expect(described.paths['/livez'].get.security).to.deep.equal([]);
    } finally {
      await closed.stop();
    }
  });

  it('docs/reference/admin.md mentions every call', () => {
    const missing = calls
      .filter((call) => !isFile(call))
      .filter(({ method, path }) => !documented.includes(`\`${method} ${path}\``));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([]);
  });

  it('the description allows no cross-origin access', async () => {
    for (const origin of [undefined, 'https://evil.example']) {
      const reply = await askAdmin(
        gateway,
        'GET',
        '/admin/openapi.json',
        undefined,
        origin === undefined ? {} : { origin },
      );
      expect(reply.status).to.equal(origin === undefined ? 200 : 403);
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
    }
  });
});
