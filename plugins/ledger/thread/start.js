import '../../../bin/quick-start.js';

// Imported dynamically: quick-start only affects modules that are linked after it has run. In JavaScript: the cache of
// compiled code is not open yet, so that Node would load the compiler of TypeScript for this file alone.
await import('./main.ts');
