// The bodies that the forms of an item's page send.
import Joi from 'joi';
import { adjustmentRequest, itemPatch, MAX_QUANTITY } from '../../inventory/schema.js';
import { decimal } from '../../platform/http/input/validate.js';
import { ACTIONS } from './reasons.js';

const request = adjustmentRequest as Joi.ObjectSchema;

/** A change of the stock by hand. Its reason is in the list of the chosen action. */
export const adjustmentBody = Joi.object({
  how: Joi.valid(...ACTIONS.map(({ value }) => value)).required(),
  quantity: decimal(0, MAX_QUANTITY).required(),
  expectedOnHand: Joi.number().unsafe().required(),
  reference: request.extract('reference'),
  note: request.extract('note'),
}).unknown();

/** The details. An empty one that may be absent is removed from the item. */
export const detailsBody = (itemPatch as Joi.ObjectSchema)
  .fork(['name', 'reorderPoint'], field => field.required())
  .keys({ archived: Joi.forbidden() });
