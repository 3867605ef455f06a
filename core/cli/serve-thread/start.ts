import '../../../bin/quick-start.js';

// Imported dynamically: quick-start only affects modules that are linked after it has run.
await import('./main.ts');
