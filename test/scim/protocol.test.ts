import { expect } from 'chai';
import { askAdmin, readJson } from '../support/admin.ts';
import type { TestGateway } from '../support/gateway.ts';
import {
  ADMIN_TOKEN,
  createDirectory,
  GROUP,
  patchOf,
  SCIM_TOKEN,
  startScimGateway,
  USER,
  type ScimCall,
} from './scim-gateway.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe('SCIM 2.0', () => {
  let gateway: TestGateway;
  let scim: ScimCall;
  let count = 0;
  before(async () => {
    gateway = await startScimGateway();
    scim = createDirectory(gateway.gateway.admin.url);
  });
  after(() => gateway?.stop());

  const createUser = async (more: object = {}): Promise<string> => {
    count += 1;
    const { status, body } = await scim('POST', '/Users', {
      schemas: [USER],
      userName: `ann${count}@acme.example`,
      ...more,
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    return String(body['id']);
  };
  const createGroup = async (members: readonly string[], displayName = 'platform'): Promise<string> => {
    const body = { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) };
    return String((await scim('POST', '/Groups', body)).body['id']);
  };
  const membersOf = async (id: string): Promise<readonly string[]> => {
    const { members = [] } = (await scim('GET', `/Groups/${id}`)).body as { members?: readonly { value: string }[] };
    return members.map(({ value }) => value).toSorted();
  };
  const find = async (path: string, filter: string): Promise<readonly unknown[]> => {
    const { status, body } = await scim('GET', `${path}?filter=${encodeURIComponent(filter)}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return (body['Resources'] as readonly { readonly id: string }[]).map(({ id }) => id);
  };

  it('takes the requests of Entra ID for users', async () => {
    const created = await scim('POST', '/Users?aadOptscim062020', {
      schemas: [USER, ENTERPRISE],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User@acme.example',
      active: 'True',
      displayName: 'Test',
      emails: [{ primary: true, type: 'work', value: 'test@acme.example' }],
      name: { formatted: 'A Test', familyName: 'Test', givenName: 'A' },
      roles: [],
      [ENTERPRISE]: { department: 'Sales' },
    });
    expect(created.status).to.equal(201);
    expect(created.headers.get('content-type')).to.equal('application/scim+json; charset=utf-8');
    expect(created.headers.get('location')).to.equal((created.body['meta'] as { location: string }).location);
    expect(created.body).to.deep.include({ active: true, userName: 'Test_User@acme.example', schemas: [USER] });
    const id = String(created.body['id']);
    expect(await find('/Users', 'userName eq "test_user@ACME.example"')).to.deep.equal([id]);
    expect(await find('/Users', 'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')).to.deep.equal([id]);
    const changed = await scim(
      'PATCH',
      `/Users/${id}`,
      patchOf(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@acme.example' },
        { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@acme.example' },
        { op: 'Replace', path: 'name.familyName', value: 'Changed' },
        { op: 'Add', value: { 'name.givenName': 'B', displayName: 'Also' } },
        { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Other' },
        { op: 'Replace', path: `${USER}:active`, value: 'False' },
        { op: 'Remove', path: 'phoneNumbers[type eq "work"].value' },
      ),
    );
    expect(changed.body).to.deep.include({
      active: false,
      displayName: 'Also',
      name: { formatted: 'A Test', familyName: 'Changed', givenName: 'B' },
      emails: [
        { primary: true, type: 'work', value: 'new@acme.example' },
        { type: 'home', value: 'home@acme.example' },
      ],
    });
  });

  it('takes the requests of Okta for users', async () => {
    expect(await find('/Users', 'userName eq "okta@acme.example"')).to.deep.equal([]);
    const user = {
      schemas: [USER],
      userName: 'okta@acme.example',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'okta@acme.example', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    const created = await scim('POST', '/Users', user);
    expect([created.status, created.body['password']]).to.deep.equal([201, undefined]);
    const id = String(created.body['id']);
    const deactivated = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }));
    expect([deactivated.status, deactivated.body['active']]).to.deep.equal([200, false]);
    const { active: _inactive, ...without } = user;
    const replaced = await scim('PUT', `/Users/${id}`, {
      ...without,
      id,
      displayName: 'Other',
      meta: { resourceType: 'User' },
    });
    expect(replaced.body, 'a replacement that lacks active changes it not').to.include({
      displayName: 'Other',
      active: false,
    });
    expect((await scim('POST', '/Users', user)).body).to.include({ status: '409', scimType: 'uniqueness' });
  });

  it('takes the changes of members of Entra ID and Okta', async () => {
    const [one, two, three] = [await createUser(), await createUser(), await createUser()].toSorted() as [
      string,
      string,
      string,
    ];
    const id = await createGroup([one]);
    const change = async (...operations: readonly object[]): Promise<readonly string[]> => {
      const { status, body } = await scim('PATCH', `/Groups/${id}`, patchOf(...operations));
      expect(status, JSON.stringify(body)).to.equal(200);
      return membersOf(id);
    };
    expect(await change({ op: 'Add', path: 'members', value: [{ value: two }, { value: one }] })).to.deep.equal([
      one,
      two,
    ]);
    expect(await change({ op: 'remove', path: `members[value eq "${one}"]` })).to.deep.equal([two]);
    expect(await change({ op: 'Remove', path: 'members', value: [{ value: two }] })).to.deep.equal([]);
    expect(await change({ op: 'add', path: 'members', value: [{ value: one, display: 'ann' }] })).to.deep.equal([one]);
    expect(
      await change({
        op: 'replace',
        path: 'members',
        value: [
          { value: two, display: 'a' },
          { value: three, display: 'b' },
        ],
      }),
    ).to.deep.equal([two, three]);
    expect(await change({ op: 'replace', value: { id, displayName: 'Renamed' } })).to.deep.equal([two, three]);
    expect(await find('/Groups', `displayName eq "renamed" and members.value eq "${two}"`)).to.deep.equal([id]);
    expect(await find('/Groups', `id eq "${id}" and members[value eq "${one}"]`)).to.deep.equal([]);
    const short = await scim('GET', `/Groups/${id}?excludedAttributes=members`);
    expect(short.body).to.include({ displayName: 'Renamed' }).and.not.have.property('members');
    await scim('DELETE', `/Users/${two}`);
    expect(await membersOf(id)).to.deep.equal([three]);
    const unknown = await scim(
      'PATCH',
      `/Groups/${id}`,
      patchOf({ op: 'add', path: 'members', value: [{ value: 'no-such-id' }] }),
    );
    expect(unknown.body).to.include({ status: '400', scimType: 'invalidValue' });
  });

  it('lists in pages, and selects with and, or, not and pr', async () => {
    const ids = [
      await createUser({ displayName: 'Page A' }),
      await createUser({ displayName: 'Page B' }),
      await createUser(),
    ];
    const filter = 'displayName eq "page a" or (displayName eq "PAGE B" and not (active eq false))';
    expect(await find('/Users', filter)).to.deep.equal(ids.slice(0, 2));
    const page = await scim(
      'GET',
      `/Users?startIndex=2&count=1&attributes=userName&filter=${encodeURIComponent(filter)}`,
    );
    expect(page.body).to.deep.include({ totalResults: 2, itemsPerPage: 1, startIndex: 2 });
    const [only] = page.body['Resources'] as readonly Record<string, unknown>[];
    expect(Object.keys(only ?? {})).to.have.members(['schemas', 'id', 'userName', 'meta']);
    expect(only?.['id']).to.equal(ids[1]);
    expect((await scim('GET', '/Users?count=0')).body).to.deep.include({ itemsPerPage: 0, Resources: [] });
    expect(await find('/Users', `id eq "${ids[2]}" and not (displayName pr)`)).to.deep.equal([ids[2]]);
    const searched = await scim('POST', '/Users/.search', { filter: 'displayName eq "Page A"', count: 5 });
    const count = JSON.parse('[{"toString":1}]') as unknown;
    expect((await scim('POST', '/Groups/.search', { count })).status).to.equal(400);
    expect(searched.body).to.include({ totalResults: 1 });
  });

  it('changes nothing if the version has changed or one of the operations is not valid', async () => {
    const id = await createUser({ displayName: 'Before' });
    const { headers } = await scim('GET', `/Users/${id}`);
    const tag = headers.get('etag') ?? '';
    const rename = patchOf({ op: 'replace', path: 'displayName', value: 'After' });
    expect((await scim('PATCH', `/Users/${id}`, rename, { 'if-match': 'W/"7"' })).status).to.equal(412);
    expect((await scim('PATCH', `/Users/${id}`, rename, { 'if-match': tag })).status).to.equal(200);
    expect((await scim('DELETE', `/Users/${id}`, undefined, { 'if-match': tag })).status).to.equal(412);
    const half = patchOf(
      { op: 'replace', path: 'displayName', value: 'Half' },
      { op: 'replace', path: 'activ', value: false },
    );
    expect((await scim('PATCH', `/Users/${id}`, half)).body).to.include({ status: '400', scimType: 'invalidPath' });
    expect((await scim('GET', `/Users/${id}`)).body).to.include({ displayName: 'After' });
  });

  it('refuses what is not valid with the body of a SCIM error', async () => {
    const id = await createUser();
    const operations = Array.from({ length: 501 }, () => ({ op: 'replace', path: 'displayName', value: 'a' }));
    const refused: readonly (readonly [string, string, unknown, number, string?])[] = [
      ['POST', '/Users', { userName: '' }, 400, 'invalidValue'],
      ['POST', '/Users', { userName: 'a\u0000b' }, 400, 'invalidValue'],
      ['POST', '/Users', { userName: 'a'.repeat(1_001) }, 400, 'invalidValue'],
      ['POST', '/Users', [1], 400, 'invalidSyntax'],
      ['POST', '/Users', '{', 400],
      ['PATCH', `/Users/${id}`, {}, 400, 'invalidSyntax'],
      ['PATCH', `/Users/${id}`, patchOf({ op: 'move' }), 400, 'invalidSyntax'],
      ['PATCH', `/Users/${id}`, patchOf({ op: 'remove' }), 400, 'noTarget'],
      ['PATCH', `/Users/${id}`, patchOf({ op: 'remove', path: 'userName' }), 400, 'invalidValue'],
      ['PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: 'no' }), 400, 'invalidValue'],
      [
        'PATCH',
        `/Users/${id}`,
        patchOf({ op: 'replace', path: 'emails[type eq "x"].value', value: 'a' }),
        400,
        'noTarget',
      ],
      ['PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'emails[', value: 'a' }), 400, 'invalidPath'],
      ['PATCH', `/Users/${id}`, patchOf(...operations), 400, 'tooMany'],
      ['GET', `/Users/%00`, undefined, 404],
      ['GET', '/Users?filter=userName', undefined, 400, 'invalidFilter'],
      ['GET', '/Users?filter=password%20eq%20%22a%22', undefined, 400, 'invalidFilter'],
      ['GET', `/Users?filter=${'('.repeat(1_999)}`, undefined, 400, 'invalidFilter'],
      ['GET', `/Users?filter=${'not%20('.repeat(200)}`, undefined, 400, 'invalidFilter'],
      [
        'GET',
        `/Users?filter=${Array.from({ length: 21 }, () => 'id%20pr').join('%20or%20')}`,
        undefined,
        400,
        'invalidFilter',
      ],
      ['GET', '/Users?filter=userName%20eq%20%22%5Cu0000%22', undefined, 400, 'invalidFilter'],
      ['GET', '/Users?count=many', undefined, 400, 'invalidValue'],
      ['PUT', '/Users', {}, 405],
      ['POST', '/Bulk', {}, 501],
      ['GET', '/Users/a/b', undefined, 404],
    ];
    for (const [method, path, body, status, scimType] of refused) {
      const answer = await scim(method, path, body);
      expect(answer.body, `${method} ${path.slice(0, 80)} ${JSON.stringify(body)?.slice(0, 80)}`).to.include({
        status: String(status),
        ...(scimType === undefined ? {} : { scimType }),
      });
      expect(answer.status).to.equal(status);
    }
  });

  it('counts what the operations of a request compare before it compares it', async () => {
    const members = Array.from({ length: 12_000 }, (_, index) => ({ value: `member-${index}` }));
    const path = `members[${Array.from({ length: 20 }, (_, index) => `value eq "${index}"`).join(' or ')}]`;
    const operations = Array.from({ length: 400 }, () => ({ op: 'remove', path }));
    const add = { op: 'add', path: 'members', value: members };
    const { body } = await scim('PATCH', `/Groups/${await createGroup([])}`, patchOf(add, ...operations));
    expect(body).to.include({ status: '400', scimType: 'tooMany' });
  });

  it('accepts its own token only, and refuses an address that guesses', async () => {
    const { url } = gateway.gateway.admin;
    const ask = (authorization: string): Promise<number> =>
      fetch(`${url}/scim/v2/Users`, { headers: { authorization } }).then(({ status }) => status);
    expect(await ask('')).to.equal(401);
    for (let guess = 0; guess < 20; guess++) expect(await ask(`Bearer ${ADMIN_TOKEN}`)).to.equal(401);
    expect(await ask('Bearer guess')).to.equal(429);
    expect((await scim('GET', '/Users?count=0')).status).to.equal(200);
    const { status } = await askAdmin(gateway, 'GET', '/admin/keys', undefined, {
      authorization: `Bearer ${SCIM_TOKEN}`,
    });
    expect(status).to.equal(401);
  });

  it('writes each change into the audit log, without those that change nothing', async () => {
    const id = await createUser({ externalId: 'audited' });
    const deactivate = patchOf({ op: 'replace', path: 'active', value: false });
    await scim('PATCH', `/Users/${id}`, deactivate);
    await scim('PATCH', `/Users/${id}`, deactivate);
    const group = await createGroup([id], 'audited');
    await scim('DELETE', `/Users/${id}`);
    const audit = await askAdmin(gateway, 'GET', '/admin/audit?actor=scim&limit=4', undefined, {
      authorization: `Bearer ${ADMIN_TOKEN}`,
    });
    const { entries } = readJson<{ entries: readonly Record<string, unknown>[] }>(audit);
    expect(entries.map(({ action, target }) => [action, target])).to.deep.equal([
      ['DELETE /scim/v2/Users/{id}', id],
      ['POST /scim/v2/Groups', group],
      ['PATCH /scim/v2/Users/{id}', id],
      ['POST /scim/v2/Users', id],
    ]);
    expect(entries[2]).to.deep.include({
      before: { userName: `ann${count}@acme.example`, externalId: 'audited', active: true },
      after: { userName: `ann${count}@acme.example`, externalId: 'audited', active: false },
    });
  });
});
