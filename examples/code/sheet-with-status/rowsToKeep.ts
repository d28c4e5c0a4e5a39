import { itemsOf } from '../items';
import type { StatusPage } from './parts/statusPage';

export default itemsOf($input.first<StatusPage>().json.lines);
