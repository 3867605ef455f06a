import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Headers } from '../../../../core/api/index.ts';
import { createSigner, Sha256 } from '../../../../providers/identity/aws/sign.ts';
import { verify } from './verify-signature.ts';

interface Vector {
  readonly name: string;
  readonly request: string;
  readonly authorization: string;
}
const file = fileURLToPath(new URL('../../../fixtures/aws/signatures.json', import.meta.url));
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly Vector[] };

/** Of the library's own: several values of one header, and a path that is not normalized because it is no URL. */
const beyondLibrary: ReadonlySet<string> = new Set([
  'get-header-key-duplicate',
  'get-header-value-multiline',
  'get-header-value-order',
  'normalize-path/get-space',
]);

/** The vectors are requests as text: https://github.com/awslabs/aws-c-auth */
const parse = (text: string) => {
  const [head = '', body = ''] = text.split('\n\n');
  const [line = '', ...headerLines] = head.split('\n');
  const [, method = '', target = ''] = /^(\S+) (.+?) HTTP\/1\.1$/.exec(line) ?? [];
  const [path = '', search = ''] = target.split('?');
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    const earlier = query[name];
    query[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  const headers = Object.fromEntries(
    headerLines
      .filter((each) => each.includes(':'))
      .map((each) => [each.slice(0, each.indexOf(':')).trim(), each.slice(each.indexOf(':') + 1).trim()]),
  );
  return { method, path, query, headers, body, protocol: 'https:', hostname: 'example.amazonaws.com' };
};

/** The token that a vector signs, which only its canonical request has. */
const SESSION = '6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267';

const sign = async ({ name, request }: Vector): Promise<string | undefined> => {
  const parsed = parse(request);
  const signer = new SignatureV4({
    service: 'service',
    region: 'us-east-1',
    sha256: Sha256,
    // The vectors are older than the header with the hash of the body.
    applyChecksum: false,
    credentials: {
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
      ...(name.includes('session-token') ? { sessionToken: SESSION } : {}),
    },
  });
  const { headers } = await signer.sign(parsed, { signingDate: new Date('2015-08-30T12:36:00Z') });
  return headers['authorization'];
};

describe('signatures of AWS', () => {
  for (const vector of cases) {
    if (beyondLibrary.has(vector.name)) continue;
    it(`a request is signed as AWS publishes it: ${vector.name}`, async () => {
      expect(await sign(vector)).to.equal(vector.authorization);
    });
  }

  const identity = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'a-session' };
  const request = {
    origin: 'https://bedrock-runtime.eu-west-1.amazonaws.com',
    path: `/model/${encodeURIComponent('arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/a1')}/converse`,
    headers: { 'content-type': 'application/json' } as Headers,
    body: Buffer.from('{"messages":[{"text":"é"}]}'),
  };
  const bedrock = { service: 'bedrock', region: 'eu-west-1' };
  const clock = { now: () => Date.UTC(2026, 10, 23, 12, 0, 0) };

  it('a server that computes the signature of a request with an ARN by itself accepts it', async () => {
    const sign4 = await createSigner(bedrock, () => identity, clock);
    const signed = await sign4(request, { traceparent: '00-1-2-03' });
    expect(signed.headers['x-amz-date']).to.equal('20261123T120000Z');
    expect(signed.headers['x-amz-security-token']).to.equal('a-session');
    expect(verify(signed, identity.secretAccessKey)).to.equal(true);
    expect(verify({ ...signed, body: Buffer.from('{}') }, identity.secretAccessKey)).to.equal(false);
    expect(verify({ ...signed, path: '/model/other/converse' }, identity.secretAccessKey)).to.equal(false);
  });

  it('headers that others may change are sent without being signed', async () => {
    const sign4 = await createSigner(bedrock, () => identity, clock);
    const { headers } = await sign4(request, { traceparent: '00-1-2-03' });
    expect(headers['traceparent']).to.equal('00-1-2-03');
    expect(headers['authorization']).to.not.contain('traceparent');
  });

  it('each request is signed with the credentials of its moment', async () => {
    let accessKeyId = 'FIRST';
    const sign4 = await createSigner(bedrock, () => ({ ...identity, accessKeyId }), clock);
    expect((await sign4(request, {})).headers['authorization']).to.contain('Credential=FIRST/');
    accessKeyId = 'SECOND';
    expect((await sign4(request, {})).headers['authorization']).to.contain('Credential=SECOND/');
  });
});
