import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { createAttribute } from '../../../core/exchange/request/attribution.ts';
import type { GatewayConfig } from '../../../core/config/gateway-config.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import type { Attribution, Caller } from '../../../core/api/index.ts';
import { catchError } from './catch-error.ts';

type Settings = Partial<Pick<GatewayConfig, 'attribution' | 'organizations'> & Pick<Caller, 'tags'>>;

const caller = { key: 'alice', project: 'web', organization: 'acme', models: [] };
const SECRET = 'a secret of operators';

const attribute = (
  headers: Readonly<Record<string, string>>,
  user?: string,
  { attribution = { user: 'plain' }, organizations = {}, tags }: Settings = {},
): Attribution | undefined =>
  createAttribute({ attribution, organizations }).of(headers, omitUndefined({ ...caller, tags }), user);

const owned = (tags: Readonly<Record<string, string>>) => ({
  acme: { limits: [], projects: { web: { limits: [], tags, keys: {} } } },
});

describe('the end user of a request', () => {
  it('comes from the header, and else from the body', () => {
    expect(attribute({ 'x-koine-user': 'of-header' }, 'of-body')).to.deep.equal({ user: 'of-header' });
    expect(attribute({ 'x-koine-user': ' ' }, 'of-body')).to.deep.equal({ user: 'of-body' });
    expect(attribute({}, undefined)).to.equal(undefined);
    expect(attribute({}, '')).to.equal(undefined);
  });

  it('has no control characters, and no halves of characters, which Postgres rejects', () =>
    expect(attribute({}, ' a\0l\u001bice \ud800 ')).to.deep.equal({ user: 'alice \ufffd' }));

  it('is recorded as a digest if the body has a long name or a secret', () => {
    const long = 'u'.repeat(129);
    const { user } = attribute({}, long) ?? {};
    expect(user).to.match(/^sha256:[0-9a-f]{32}$/);
    expect(attribute({}, long)?.user).to.equal(user);
    expect(attribute({}, `${long}v`)?.user).to.not.equal(user);
    expect(attribute({}, 'sk-proj-0123456789abcdef')?.user).to.match(/^sha256:/);
    expect(attribute({}, 'u'.repeat(128))?.user).to.equal('u'.repeat(128));
  });

  it('is recorded as a keyed digest, which openssl can compute, with user: hash', () => {
    const digest = createHmac('sha256', SECRET).update('alice@example.com').digest('hex').slice(0, 32);
    const attribution = { user: 'hash', secret: SECRET } as const;
    expect(attribute({}, 'alice@example.com', { attribution })).to.deep.equal({ user: digest });
    const other = { user: 'hash', secret: 'another secret' } as const;
    expect(attribute({}, 'alice@example.com', { attribution: other })?.user).to.not.equal(digest);
  });

  it('is not recorded with user: ignore', () =>
    expect(attribute({ 'x-koine-user': 'alice' }, 'bob', { attribution: { user: 'ignore' } })).to.equal(undefined));

  const malformed = {
    'a header that is sent twice': 'alice, bob',
    'other characters': 'm\u00fcller',
    'a long name': 'u'.repeat(129),
  };
  for (const [what, header] of Object.entries(malformed)) {
    it(`refuses ${what} in the header with 400, and says what to do`, () => {
      const error = catchError(() => attribute({ 'x-koine-user': header }));
      expect(error).to.include({ code: 'invalid_request', status: 400, param: 'x-koine-user' });
      expect(error.message).to.match(/^The header x-koine-user .*(percent-encode|send)/);
    });
  }
});

describe('the tags of a request', () => {
  it('come from the header', () => {
    const tags = { team: 'search', env: 'prod', note: 'a = b' };
    expect(attribute({ 'x-koine-tags': 'team=search, env = prod,,note=a = b' })).to.deep.equal({ tags });
    expect(attribute({ 'x-koine-tags': ',' })).to.equal(undefined);
  });

  it('of a key replace those of its project, and a client replaces neither', () => {
    const own = { organizations: owned({ team: 'web', env: 'prod' }), tags: { env: 'test' } };
    expect(attribute({}, undefined, own)).to.deep.equal({ tags: { team: 'web', env: 'test' } });
    const sent = { 'x-koine-tags': 'team=mine,feature=chat' };
    expect(attribute(sent, undefined, own)?.tags).to.deep.equal({
      feature: 'chat',
      team: 'web',
      env: 'test',
    });
  });

  it('of another project do not count', () => {
    const { acme } = owned({ team: 'web' });
    expect(attribute({}, undefined, { organizations: { other: acme } })).to.equal(undefined);
  });

  it('are redacted if they look like a secret', () =>
    expect(attribute({ 'x-koine-tags': 'k=sk-proj-neverConfiguredAnywhere' })?.tags).to.deep.equal({
      k: '[redacted]',
    }));

  const ten = Array.from({ length: 10 }, (_, index) => `t${index}=v`).join(',');
  it('are at most ten, with those of the key', () => {
    expect(Object.keys(attribute({ 'x-koine-tags': ten })?.tags ?? {})).to.have.length(10);
    const organizations = owned({ team: 'web' });
    const error = catchError(() => attribute({ 'x-koine-tags': ten }, undefined, { organizations }));
    expect(error.message).to.include('with 1 of the key they are 11');
  });

  const malformed: Readonly<Record<string, string>> = {
    'a tag without a value': 'team',
    'an empty value': 'team=',
    'an invalid name': '1team=a',
    'a name with a dot, as those of plugins have': 'my.team=a',
    '__proto__': '__proto__=a',
    'a long name': `${'n'.repeat(65)}=a`,
    'a long value': `team=${'v'.repeat(129)}`,
    'other characters': 'team=s\u00fcd',
    'a name that is given twice': 'team=a,team=b',
    'eleven tags': `${ten},more=v`,
  };
  for (const [what, header] of Object.entries(malformed)) {
    it(`refuses ${what} in the header with 400, and shows the form`, () => {
      const error = catchError(() => attribute({ 'x-koine-tags': header }));
      expect(error).to.include({ code: 'invalid_request', status: 400, param: 'x-koine-tags' });
      expect(error.message).to.include('Write it as team=search,env=prod');
    });
  }
});
