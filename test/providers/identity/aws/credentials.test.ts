import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChain } from '../../../../providers/identity/aws/chain.ts';
import type { AwsSettings } from '../../../../providers/identity/aws/settings.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Answer = (seen: Seen, response: ServerResponse) => void;

const NOW = Date.UTC(2026, 10, 23, 12, 0, 0);
const ENDS = '2026-11-23T13:00:00Z';
const clock = { now: () => NOW };
type Environment = Readonly<Record<string, string>>;

/** Reads with these variables alone. The library reads those of the process. */
const read = async (options: AwsSettings, env: Environment = {}) => {
  const kept = { ...process.env };
  for (const name of Object.keys(process.env))
    if (name.startsWith('AWS_') && !ofFiles.has(name)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  try {
    return await createChain(options, 'eu-west-1', clock)();
  } finally {
    for (const name of Object.keys(env)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, kept);
  }
};
const ofFiles = new Set(['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE', 'AWS_EC2_METADATA_SERVICE_ENDPOINT']);
const failure = async (options: AwsSettings, env: Environment = {}): Promise<string> =>
  read(options, env).then(
    (found) => `found ${JSON.stringify(found)}`,
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
  );

const assumed =
  '<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>' +
  '<Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>of/the+role=</SecretAccessKey>' +
  `<SessionToken>session==</SessionToken><Expiration>${ENDS}</Expiration></Credentials>` +
  '</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>';
const refusal =
  '<ErrorResponse><Error><Type>Sender</Type><Code>ExpiredTokenException</Code><Message>Token expired</Message></Error></ErrorResponse>';
const ofRole = { accessKeyId: 'ASIAROLE', secretAccessKey: 'of/the+role=', sessionToken: 'session==' };
const metadata = {
  Code: 'Success',
  AccessKeyId: 'ASIAROLE',
  SecretAccessKey: 'of/the+role=',
  Token: 'session==',
  Expiration: ENDS,
};

describe('credentials of AWS', () => {
  let folder = '';
  let url = '';
  let answer: Answer = (_seen, response) => void response.writeHead(500).end();
  const seen: Seen[] = [];
  const kept: Record<string, string | undefined> = {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) chunks.push(part);
    const { method = '', url: path = '', headers } = request;
    const call = { method, url: path, headers, body: Buffer.concat(chunks).toString() };
    seen.push(call);
    answer(call, response);
  });
  /** Libraries read these variables of the process by themselves. */
  const setVariable = (name: string, value: string | undefined): void => {
    if (!(name in kept)) kept[name] = process.env[name];
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'koine-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await writeFile(join(folder, 'token'), 'a.web.token');
    await writeFile(
      join(folder, 'print.mjs'),
      `console.log(JSON.stringify({ Version: 1, AccessKeyId: 'AKICOMMAND', SecretAccessKey: 'c', Expiration: '2099-01-01T00:00:00Z' }));`,
    );
    await writeFile(
      join(folder, 'credentials'),
      '[default]\naws_access_key_id = AKIDEFAULT\naws_secret_access_key = one\n' +
        '[work]\naws_access_key_id = AKIWORK\naws_secret_access_key = two\naws_session_token = three\n' +
        '[chained]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = work\n' +
        `[command]\ncredential_process = ${process.execPath} ${join(folder, 'print.mjs')}\n`,
    );
    await writeFile(
      join(folder, 'config'),
      `[profile web]\nrole_arn = arn:aws:iam::1:role/web\nweb_identity_token_file = ${join(folder, 'token')}\n`,
    );
    setVariable('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'));
    setVariable('AWS_CONFIG_FILE', join(folder, 'config'));
    setVariable('AWS_EC2_METADATA_SERVICE_ENDPOINT', url);
    setVariable('AWS_PROFILE', undefined);
  });
  beforeEach(() => {
    seen.length = 0;
  });
  after(async () => {
    for (const [name, value] of Object.entries(kept)) setVariable(name, value);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  it('an access key of the settings comes before all sources', async () => {
    const options = { accessKeyId: 'AKISETTINGS', secretAccessKey: 's' };
    const { identity, endsAt } = await read(options, { AWS_ACCESS_KEY_ID: 'AKIENV', AWS_SECRET_ACCESS_KEY: 'e' });
    expect(identity).to.deep.equal({ accessKeyId: 'AKISETTINGS', secretAccessKey: 's' });
    expect(endsAt).to.equal(Number.POSITIVE_INFINITY);
  });

  it('the environment comes before the profile, unless the profile is chosen', async () => {
    const env = { AWS_ACCESS_KEY_ID: 'AKIENV', AWS_SECRET_ACCESS_KEY: 'e', AWS_SESSION_TOKEN: 't' };
    expect((await read({}, env)).identity).to.deep.equal({
      accessKeyId: 'AKIENV',
      secretAccessKey: 'e',
      sessionToken: 't',
    });
    expect((await read({ credentials: 'profile' }, env)).identity.accessKeyId).to.equal('AKIDEFAULT');
  });

  it('a profile is that of the settings, otherwise that of AWS_PROFILE, otherwise the default', async () => {
    expect((await read({})).identity.accessKeyId).to.equal('AKIDEFAULT');
    expect((await read({}, { AWS_PROFILE: 'work' })).identity).to.deep.equal({
      accessKeyId: 'AKIWORK',
      secretAccessKey: 'two',
      sessionToken: 'three',
    });
    expect((await read({ profile: 'work' }, { AWS_PROFILE: 'other' })).identity.accessKeyId).to.equal('AKIWORK');
  });

  it('a profile that is missing is an error that names it', async () => {
    expect(await failure({ profile: 'gone' })).to.match(/profile: \[gone\]/);
  });

  it('a profile assumes its role with the access key of another profile', async () => {
    answer = (_seen, response) => void response.end(assumed.replaceAll('WithWebIdentity', ''));
    const { identity, endsAt } = await read({ profile: 'chained', stsUrl: `${url}/` });
    expect(identity).to.deep.equal(ofRole);
    expect(endsAt).to.equal(Date.parse(ENDS));
    expect(seen[0]?.headers['authorization']).to.match(/Credential=AKIWORK\/\d+\/eu-west-1\/sts/);
    expect(new URLSearchParams(seen[0]?.body).get('RoleArn')).to.equal('arn:aws:iam::1:role/r');
  });

  it('a profile runs its command', async () => {
    const { identity, endsAt } = await read({ profile: 'command' });
    expect(identity).to.deep.equal({ accessKeyId: 'AKICOMMAND', secretAccessKey: 'c' });
    expect(endsAt).to.equal(Date.UTC(2099, 0));
  });

  it('a profile with a web identity assumes its role', async () => {
    answer = (_seen, response) => void response.end(assumed);
    const { identity } = await read({ profile: 'web' }, { AWS_ENDPOINT_URL_STS: `${url}/` });
    expect(identity).to.deep.equal(ofRole);
    expect(new URLSearchParams(seen[0]?.body).get('RoleArn')).to.equal('arn:aws:iam::1:role/web');
  });

  it('a web identity is exchanged for the credentials of its role', async () => {
    answer = (_seen, response) => void response.end(assumed);
    const env = {
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/pod',
      AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'token'),
      AWS_ROLE_SESSION_NAME: 'pod-1',
    };
    const { identity, endsAt } = await read({ stsUrl: `${url}/` }, env);
    expect(identity).to.deep.equal(ofRole);
    expect(endsAt).to.equal(Date.parse(ENDS));
    expect(seen.map(({ method, headers }) => [method, headers['content-type']])).to.deep.equal([
      ['POST', 'application/x-www-form-urlencoded'],
    ]);
    expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).to.deep.equal({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: 'arn:aws:iam::1:role/pod',
      RoleSessionName: 'pod-1',
      WebIdentityToken: 'a.web.token',
    });
  });

  it('a refused web identity is an error with the code of the vendor and without the token', async () => {
    answer = (_seen, response) => void response.writeHead(400).end(refusal);
    const env = { AWS_ROLE_ARN: 'arn:aws:iam::1:role/pod', AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'token') };
    const said = await failure({ stsUrl: `${url}/` }, env);
    expect(said).to.equal('Token expired');
  });

  it('the role of a container is read with the token of its file', async () => {
    answer = (_seen, response) => void response.end(JSON.stringify(metadata));
    const env = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(folder, 'token'),
    };
    const { identity, endsAt } = await read({ credentials: 'container' }, env);
    expect(identity).to.deep.equal(ofRole);
    expect(endsAt).to.equal(Date.parse(ENDS));
    expect(seen.map(({ url: path, headers }) => [path, headers['authorization']])).to.deep.equal([
      ['/v1/credentials', 'a.web.token'],
    ]);
  });

  it('the token of a container role is not sent to a foreign host without TLS', async () => {
    const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://example.test/credentials' };
    expect(await failure({ credentials: 'container' }, env)).to.match(/URL not accepted/);
  });

  it('the role of an instance is read with a session of the metadata service', async () => {
    answer = ({ method, url: path, headers }, response) => {
      if (method === 'PUT' && path === '/latest/api/token') return void response.end('imds-session');
      if (headers['x-aws-ec2-metadata-token'] !== 'imds-session') return void response.writeHead(401).end();
      return void response.end(path.endsWith('/') ? 'a-role' : JSON.stringify(metadata));
    };
    const { identity } = await read({ credentials: 'instance' });
    expect(identity).to.deep.include(ofRole);
    expect(seen.map(({ url: path }) => path)).to.deep.equal([
      '/latest/api/token',
      '/latest/meta-data/iam/security-credentials/',
      '/latest/meta-data/iam/security-credentials/a-role',
    ]);
  });

  it('a source that is chosen and not configured is an error that says so', async () => {
    expect(await failure({ credentials: 'web-identity' })).to.match(/Web identity configuration not specified/);
  });

  it('without any source, the error says what to set', async () => {
    const env = { AWS_CONFIG_FILE: join(folder, 'none'), AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none') };
    expect(await failure({}, { ...env, AWS_EC2_METADATA_DISABLED: 'true' })).to.match(/Set accessKeyId and secret/);
  });
});
