// Everything that takes long happens here, so the page never stutters.
import { serve } from './brain.js';

serve(self);
