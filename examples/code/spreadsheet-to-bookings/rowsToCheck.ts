import { itemsOf } from '../items';
import type { Step } from './parts/step';

export default itemsOf($('Take the answers').first<Step>().json.rows);
