import { readCatalogue } from '../../service/catalogue';
import { listOperation } from '../listOperation';

/** Catalogue > Get Many. */
export const getMany = listOperation(readCatalogue);
