import { expect } from 'chai';
import { redactKnown } from '../../../../core/canonical/text/known-secrets.ts';
import { openAws } from '../../../../providers/identity/aws/open.ts';
import { systemClock } from '../../../../core/services/clock.ts';
import { createTestLog } from '../../../../core/testing/log.ts';
import { verify } from './verify-signature.ts';

const SECRET = 'aws-secret-of-the-open-test';
const SESSION = 'aws-session-of-the-open-test';

describe('the AWS credentials of an extension', () => {
  const open = () =>
    openAws(
      { accessKeyId: 'AKIDOPEN', secretAccessKey: SECRET, sessionToken: SESSION },
      { service: 's3', region: 'eu-west-1' },
      { clock: systemClock, log: createTestLog() },
    );

  it('sign requests to S3, whose paths are encoded once', async () => {
    const aws = await open();
    await aws.credential.ready?.();
    const request = {
      method: 'PUT',
      origin: 'http://127.0.0.1:9000',
      path: '/logs/day%3D23',
      headers: {},
      body: Buffer.from('a'),
    };
    const signed = await aws.sign(request, {});
    aws.close();
    expect(verify(signed, SECRET, 's3')).to.equal(true);
    expect(verify({ ...signed, path: '/logs/day%3D24' }, SECRET, 's3')).to.equal(false);
  });

  it('have a secret and a session token that are redacted in logs, each by itself', async () => {
    const aws = await open();
    await aws.credential.ready?.();
    aws.close();
    expect(redactKnown(`AKIDOPEN ${SECRET} ${SESSION}`)).to.equal('AKIDOPEN [redacted] [redacted]');
  });
});
