import { expect } from 'chai';
import { readPerson } from '../../../../../core/http/admin/login/oidc/actor-of.ts';

const settings = {
  issuer: 'https://login.example.com',
  nameClaim: 'email',
  rolesClaim: 'groups',
  roles: { staff: 'viewer', platform: 'admin' },
} as const;
const dora = { sub: 'd1', email: 'dora@acme.example', email_verified: true, groups: ['staff'] };

describe('the role of a person who signs in', () => {
  for (const [what, claims, more, role] of [
    ['the role of a list of values', dora, {}, 'viewer'],
    ['the role of a single value', { ...dora, groups: 'platform' }, {}, 'admin'],
    ['the role that is the highest', { ...dora, groups: ['platform', 'staff'] }, {}, 'admin'],
    [
      'of a nested claim',
      { sub: 'd1', realm_access: { roles: ['staff'] } },
      { rolesClaim: 'realm_access.roles' },
      'viewer',
    ],
    [
      'of a claim whose name is a URL',
      { 'https://acme.example/r': ['staff'] },
      { rolesClaim: 'https://acme.example/r' },
      'viewer',
    ],
    ['the role of every person', { sub: 'd1' }, { roles: { '*': 'viewer' } }, 'viewer'],
    ['no role without the claim', { sub: 'd1' }, {}, undefined],
    ['no role for other values', { ...dora, groups: ['guests', 'Staff', 'staff platform', 7, null] }, {}, undefined],
    ['no role for a value that is the name of a role', { ...dora, groups: ['admin'] }, {}, undefined],
    ['no role for the text of *', { ...dora, groups: ['*'] }, {}, undefined],
    ['no role for inherited members', { sub: 'd1' }, { rolesClaim: 'constructor.name' }, undefined],
  ] as const)
    it(`a person has ${what}`, () => expect(readPerson(claims, { ...settings, ...more }).role).to.equal(role));

  for (const [what, claims, name] of [
    ['the claim', dora, 'dora@acme.example'],
    ['the subject without the claim', { sub: 'd1' }, 'sub:d1'],
    ['the subject instead of an address that is not verified', { ...dora, email_verified: false }, 'sub:d1'],
    [
      'the subject instead of an address of which nothing is known',
      { sub: 'd1', email: 'boss@acme.example' },
      'sub:d1',
    ],
    ['the subject instead of an address that is verified as text', { ...dora, email_verified: 'true' }, 'sub:d1'],
    ['the subject instead of an address that is not verified, as text', { ...dora, email_verified: 'false' }, 'sub:d1'],
    ['the subject instead of the name of another actor with a space', { ...dora, email: 'token ' }, 'sub:d1'],
    ['the subject instead of a user of the command line after a space', { ...dora, email: ' cli:root' }, 'sub:d1'],
    ['the subject instead of letters that look like others', { ...dora, email: 'b\u043ess@acme.example' }, 'sub:d1'],
    ['the claim without spaces around it', { ...dora, email: ' dora@acme.example ' }, 'dora@acme.example'],
    ['a subject that is not readable, in one line', { sub: 'd1\n\u202e' }, 'sub:d1\ufffd\ufffd'],
    ['the subject instead of the name of another actor', { ...dora, email: 'token' }, 'sub:d1'],
    ['the subject instead of the name of a user of the command line', { ...dora, email: 'cli:ann' }, 'sub:d1'],
    ['the subject instead of the subject of another person', { ...dora, email: 'sub:d2' }, 'sub:d1'],
    ['the subject instead of text with control characters', { ...dora, email: 'dora\nadmin' }, 'sub:d1'],
    ['the subject instead of an endless name', { ...dora, email: 'd'.repeat(129) }, 'sub:d1'],
    ['the subject instead of an object', { ...dora, email: { toString: 'x' } }, 'sub:d1'],
  ] as const)
    it(`the name of a person is ${what}`, () => expect(readPerson(claims, settings).name).to.equal(name));

  it('another claim is used as it is, since the operator has chosen it', () =>
    expect(
      readPerson({ sub: 'd1', preferred_username: 'dora' }, { ...settings, nameClaim: 'preferred_username' }).name,
    ).to.equal('dora'));

  it('a person is known by issuer and subject, whatever the name', () => {
    const renamed = { ...dora, email: 'dora.new@acme.example' };
    expect(readPerson(renamed, settings).id).to.equal(readPerson(dora, settings).id);
    const successor = { ...dora, sub: 'd2' };
    expect(readPerson(successor, settings).id).to.equal('https://login.example.com d2');
  });

  it('a person has the projects of all values, each once', () => {
    const projects = { platform: 'acme/platform', staff: 'acme/web', web: 'acme/web', '*': 'acme/sandbox' };
    const projectsOf = (groups: unknown): readonly string[] =>
      readPerson({ ...dora, groups }, settings, projects).projects;
    expect(projectsOf(['web', 'staff'])).to.deep.equal(['acme/web', 'acme/sandbox']);
    expect(projectsOf('platform')).to.deep.equal(['acme/platform', 'acme/sandbox']);
    expect(projectsOf(undefined)).to.deep.equal(['acme/sandbox']);
    expect(readPerson(dora, settings).projects).to.deep.equal([]);
  });
});
