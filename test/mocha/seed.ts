import * as fc from 'fast-check';

// In CI, unchanged code gives the same result. Any other run tries new values, and prints the seed of a failure.
if (process.env['CI'] !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_123 });
