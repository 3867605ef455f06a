import { expect } from 'chai';
import * as fc from 'fast-check';
import { readRemoteResponse } from '../../../plugins/auth/remote-response.ts';
import { digestOf } from './auth-setup.ts';

const digest = digestOf('secret');
const read = (status: number, body: unknown): unknown =>
  readRemoteResponse(status, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), digest);
const names = { key: 'alice', project: 'web', organization: 'acme' };
const active = { active: true, ...names };

describe('readRemoteResponse', () => {
  it('reads a caller from the response of the key service', () => {
    expect(read(200, active)).to.deep.equal({
      caller: { ...names, key: 'remote:alice', models: [] },
      digest,
      disabled: false,
    });
  });

  it('reads all members of the response of the key service', () => {
    const all = {
      ...active,
      models: ['openai/*'],
      losses: 'reject',
      vendorState: 'allow',
      costHeaders: 'off',
      hostedTools: 'refuse',
      tags: { team: 'search', env: 'prod' },
      user: 'ann@example.com',
      limits: [{ requests: 60, per: '1m' }],
      expires: '2027-01-31T12:00:00+02:00',
      since: 2024,
    };
    const limits = [{ unit: 'requests', amount: 60, per: 60_000, models: [], enforce: true }];
    expect(read(200, all)).to.deep.equal({
      caller: {
        ...names,
        key: 'remote:alice',
        models: ['openai/*'],
        losses: 'reject',
        vendorState: 'allow',
        costHeaders: 'off',
        hostedTools: 'refuse',
        tags: { team: 'search', env: 'prod' },
        user: 'remote:ann@example.com',
        limits,
      },
      digest,
      disabled: false,
      expiresAt: Date.UTC(2027, 0, 31, 10),
    });
  });

  it('reads a list of hosted tools, with and without a policy', () => {
    for (const hostedTools of [[], ['web_search', 'mcp'], { allow: ['maps'], otherwise: 'drop' }, {}])
      expect(read(200, { ...active, hostedTools })).to.have.deep.nested.property('caller.hostedTools', hostedTools);
  });

  it('treats null members of the response as absent', () => {
    expect(
      read(200, { ...active, models: null, losses: null, tags: null, user: null, limits: null, expires: null }),
    ).to.deep.equal(read(200, active));
  });

  it('reads a date in the response as its start in UTC', () => {
    expect(read(200, { ...active, expires: '2027-01-31' })).to.include({ expiresAt: Date.UTC(2027, 0, 31) });
  });

  for (const [status, body] of [
    [200, { active: false }],
    [200, { active: false, key: 5 }],
    [404, ''],
    [404, '<html>'],
    [404, active],
  ] as const) {
    it(`returns undefined for an unknown key: ${status} ${JSON.stringify(body)}`, () =>
      expect(read(status, body)).to.equal(undefined));
  }

  for (const status of [0, 100, 201, 204, 301, 400, 401, 403, 429, 500, 502, 503]) {
    it(`throws for status ${status}, whatever the body is`, () => {
      for (const body of [active, { active: false }])
        expect(() => read(status, body)).to.throw(`The key service responded with status ${status}.`);
    });
  }

  for (const [body, reason] of [
    ['', 'it is not a JSON object'],
    ['<html>', 'it is not a JSON object'],
    ['{"active":true', 'it is not a JSON object'],
    [[active], 'it is not a JSON object'],
    [null, 'it is not a JSON object'],
    [{}, "'active' is missing"],
    [names, "'active' is missing"],
    [{ ...active, active: 'true' }, "'active' must be a boolean, not a string."],
    [{ ...active, active: 1 }, "'active' must be a boolean, not a number."],
    [{ active: true, key: 'alice' }, "'project' is required."],
    [{ ...active, key: '' }, "'key' must consist of letters, digits and . _ @ -"],
    [{ ...active, key: 'a'.repeat(129) }, "'key' must consist of letters, digits and . _ @ -"],
    [{ ...active, project: 'web:acme' }, "'project' must consist of letters, digits and . _ @ -"],
    [{ ...active, organization: 'a\nb' }, "'organization' must consist of letters, digits and . _ @ -"],
    [{ ...active, organization: '__proto__' }, "'organization' must consist of letters, digits and . _ @ -"],
    [{ ...active, key: 7 }, "'key' must be a string, not a number."],
    [{ ...active, models: 'openai/*' }, "'models' must be an array, not a string."],
    [{ ...active, models: ['openai/*', 3] }, "'models[1]' must be a string, not a number."],
    [{ ...active, losses: 'none' }, "'losses' must be one of"],
    [{ ...active, vendorState: 'yes' }, "'vendorState' must be one of"],
    [{ ...active, costHeaders: 'yes' }, "'costHeaders' must be one of"],
    [{ ...active, hostedTools: 'keep' }, "'hostedTools' must be drop, refuse, a list"],
    [{ ...active, hostedTools: ['teleport'] }, "'hostedTools' must be drop, refuse, a list"],
    [{ ...active, hostedTools: { allow: [], other: 'drop' } }, "'hostedTools' must be drop, refuse, a list"],
    [{ ...active, tags: ['search'] }, "'tags' must be an object, not an array."],
    [{ ...active, tags: { team: 5 } }, "'tags.team' must be a string, not a number."],
    [{ ...active, tags: { '1x': 'a' } }, "a name in 'tags' must have letters"],
    [{ ...active, tags: { team: 'a,b' } }, "'tags.team' must be printable ASCII without commas"],
    [
      { ...active, tags: Object.fromEntries('abcdefghijk'.split('').map((name) => [name, name])) },
      "'tags' must have at most 10 tags, not 11",
    ],
    [{ ...active, user: ' ' }, "'user' is empty"],
    [{ ...active, user: 5 }, "'user' must be a string, not a number."],
    [{ ...active, limits: { requests: 60 } }, "'limits' must be an array, not an object."],
    [{ ...active, limits: [{ requests: 60 }] }, 'limits'],
    [{ ...active, limits: [{ tokenz: 60, per: '1m' }] }, 'tokenz'],
    [{ ...active, limits: [{ requests: -1, per: '1m' }] }, 'requests'],
    [{ ...active, expires: 1_800_000_000 }, "'expires' must be a string, not a number."],
    [{ ...active, expires: 'tomorrow' }, "'expires' must be a date"],
    [{ ...active, expires: '2027-01-31T12:00:00' }, "'expires' must be a date"],
    [{ ...active, expires: '2027-13-31' }, "'expires' must be a date"],
  ] as const) {
    it(`throws for the invalid body ${JSON.stringify(body).slice(0, 80)}`, () => {
      expect(() => read(200, body))
        .to.throw(`The response of the key service is invalid: `)
        .with.property('message')
        .that.includes(reason);
    });
  }

  it('returns a record with three names, returns undefined, or throws, for any body', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc
            .record({
              active: fc.boolean(),
              key: fc.anything(),
              project: fc.string(),
              organization: fc.string(),
              models: fc.anything(),
            })
            .map((value) => JSON.stringify(value) ?? ''),
        ),
        (body) => {
          try {
            const record = readRemoteResponse(200, Buffer.from(body), digest);
            if (record !== undefined)
              expect(
                [record.caller.key, record.caller.project, record.caller.organization].every((name) =>
                  /^[\w.@-]+$/.test(name),
                ),
              ).to.equal(true);
          } catch (thrown) {
            expect(thrown)
              .to.be.instanceOf(Error)
              .with.property('message')
              .that.matches(/^The response of the key service/);
          }
        },
      ),
    );
  });
});
