// @ts-nocheck
/** Generated from a schema by `npm run generate`. Do not edit. */
import { boundedPattern, longerThan } from '../base/syntax.ts';
import { formats } from './formats.ts';
import type { CompiledSchema } from './validate.ts';

"use strict";
export const compiled = validate10;
const schema11 = {"type":"object","additionalProperties":false,"required":["apiVersion","kind"],"properties":{"apiVersion":{"const":"muster/v1alpha1"},"kind":{"const":"MusterConfiguration"},"mode":{"enum":["enforce","warn","audit"]},"rules":{"type":"object","maxProperties":1000,"additionalProperties":{"anyOf":[{"enum":["deny","warn","audit","ignore"]},{"type":"object","additionalProperties":false,"required":[],"properties":{"webhook":{"enum":["deny","warn","audit","ignore"]},"check":{"enum":["deny","warn","audit","ignore"]},"scan":{"enum":["deny","warn","audit","ignore"]}}},{"type":"null"}]}},"claims":{"type":"object","additionalProperties":false,"required":[],"properties":{"allowedReservedNames":{"type":"array","items":{"type":"string","minLength":1,"format":"reserved-name"},"minItems":0,"maxItems":1000},"membershipManagers":{"type":"array","items":{"type":"object","additionalProperties":false,"required":[],"properties":{"user":{"type":"string","minLength":1},"group":{"type":"string","minLength":1},"serviceAccount":{"type":"string","format":"service-account"}},"minProperties":1,"maxProperties":1},"minItems":1,"maxItems":1000}}},"inventory":{"type":"object","additionalProperties":false,"required":[],"properties":{"managers":{"type":"object","minProperties":1,"maxProperties":1000,"additionalProperties":{"type":"array","items":{"type":"object","additionalProperties":false,"required":[],"properties":{"user":{"type":"string","minLength":1},"group":{"type":"string","minLength":1},"serviceAccount":{"type":"string","format":"service-account"}},"minProperties":1,"maxProperties":1},"minItems":1,"maxItems":1000}}}},"features":{"type":"object","additionalProperties":false,"required":[],"properties":{"dynamic":{"anyOf":[{"const":"*"},{"type":"array","items":{"type":"object","additionalProperties":false,"required":["namespace","name"],"properties":{"namespace":{"type":"string","minLength":1,"format":"any-dns-label"},"name":{"type":"string","minLength":1,"format":"any-dns-subdomain"}}},"minItems":0,"maxItems":1000}]},"serverFlow":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["namespace","principals"],"properties":{"namespace":{"type":"string","minLength":1,"format":"dns-label"},"principals":{"type":"array","items":{"type":"object","additionalProperties":false,"required":[],"properties":{"user":{"type":"string","minLength":1},"group":{"type":"string","minLength":1},"serviceAccount":{"type":"string","format":"service-account"}},"minProperties":1,"maxProperties":1},"minItems":1,"maxItems":1000}}},"minItems":0,"maxItems":1000},"clockSkewSeconds":{"type":"number","minimum":0,"maximum":300}}},"placements":{"type":"object","additionalProperties":false,"required":[],"properties":{"schedulers":{"type":"object","minProperties":1,"maxProperties":1000,"additionalProperties":{"type":"array","items":{"type":"object","additionalProperties":false,"required":[],"properties":{"user":{"type":"string","minLength":1},"group":{"type":"string","minLength":1},"serviceAccount":{"type":"string","format":"service-account"}},"minProperties":1,"maxProperties":1},"minItems":1,"maxItems":1000}}}},"services":{"type":"object","additionalProperties":false,"required":[],"properties":{"closedNamespaces":{"type":"array","items":{"type":"string","minLength":1,"format":"dns-label"},"minItems":0,"maxItems":1000},"importManagers":{"type":"array","items":{"type":"object","additionalProperties":false,"required":[],"properties":{"user":{"type":"string","minLength":1},"group":{"type":"string","minLength":1},"serviceAccount":{"type":"string","format":"service-account"}},"minProperties":1,"maxProperties":1},"minItems":1,"maxItems":1000}}},"registrar":{"type":"object","additionalProperties":false,"required":["kubeconfig","namespace"],"properties":{"kubeconfig":{"type":"string","minLength":1},"namespace":{"type":"string","minLength":1,"format":"dns-label"},"whenUnreachable":{"enum":["deny","warn"]}}},"check":{"type":"object","additionalProperties":false,"required":[],"properties":{"clusters":{"type":"array","items":{"type":"string","minLength":1,"format":"cluster-glob"},"minItems":1,"maxItems":1000},"charts":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["chart","cluster"],"properties":{"chart":{"type":"string","minLength":1},"cluster":{"type":"string","minLength":1},"values":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},"namespace":{"type":"string","minLength":1,"format":"dns-label"}}},"minItems":1,"maxItems":1000}}},"exemptions":{"type":"object","additionalProperties":false,"required":[],"properties":{"users":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},"groups":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},"serviceAccounts":{"type":"array","items":{"type":"string","format":"service-account"},"minItems":0,"maxItems":1000},"namespaces":{"type":"array","items":{"type":"string","minLength":1,"format":"dns-label"},"minItems":0,"maxItems":1000}}},"exceptions":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["rules","apiGroup","kind","name","expires","reason"],"properties":{"rules":{"type":"array","items":{"type":"string","minLength":1},"minItems":1,"maxItems":1000},"apiGroup":{"type":"string","minLength":1},"kind":{"type":"string","minLength":1},"namespace":{"type":"string","minLength":1,"format":"dns-label"},"name":{"type":"string","minLength":1,"format":"dns-subdomain"},"expires":{"type":"string","minLength":1,"format":"day-or-time"},"reason":{"type":"string","minLength":1}}},"minItems":0,"maxItems":1000}}};
const func2 = Object.prototype.hasOwnProperty;
const formats0 = formats["reserved-name"];
const formats2 = formats["service-account"];
const formats6 = formats["any-dns-label"];
const formats8 = formats["any-dns-subdomain"];
const formats10 = formats["dns-label"];
const formats22 = formats["cluster-glob"];
const formats32 = formats["dns-subdomain"];
const formats34 = formats["day-or-time"];

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.apiVersion === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "apiVersion"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.kind === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kind"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!(func2.call(schema11.properties, key0))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.apiVersion !== undefined){
if("muster/v1alpha1" !== data.apiVersion){
const err3 = {instancePath:instancePath+"/apiVersion",schemaPath:"#/properties/apiVersion/const",keyword:"const",params:{allowedValue: "muster/v1alpha1"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.kind !== undefined){
if("MusterConfiguration" !== data.kind){
const err4 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"const",params:{allowedValue: "MusterConfiguration"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.mode !== undefined){
let data2 = data.mode;
if(!(((data2 === "enforce") || (data2 === "warn")) || (data2 === "audit"))){
const err5 = {instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues: schema11.properties.mode.enum}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.rules !== undefined){
let data3 = data.rules;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(Object.keys(data3).length > 1000){
const err6 = {instancePath:instancePath+"/rules",schemaPath:"#/properties/rules/maxProperties",keyword:"maxProperties",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
for(const key1 in data3){
let data4 = data3[key1];
const _errs9 = errors;
let valid2 = false;
const _errs10 = errors;
if(!((((data4 === "deny") || (data4 === "warn")) || (data4 === "audit")) || (data4 === "ignore"))){
const err7 = {instancePath:instancePath+"/rules/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/rules/additionalProperties/anyOf/0/enum",keyword:"enum",params:{allowedValues: schema11.properties.rules.additionalProperties.anyOf[0].enum}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
var _valid0 = _errs10 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const _errs11 = errors;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key2 in data4){
if(!(((key2 === "webhook") || (key2 === "check")) || (key2 === "scan"))){
const err8 = {instancePath:instancePath+"/rules/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/rules/additionalProperties/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data4.webhook !== undefined){
let data5 = data4.webhook;
if(!((((data5 === "deny") || (data5 === "warn")) || (data5 === "audit")) || (data5 === "ignore"))){
const err9 = {instancePath:instancePath+"/rules/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/webhook",schemaPath:"#/properties/rules/additionalProperties/anyOf/1/properties/webhook/enum",keyword:"enum",params:{allowedValues: schema11.properties.rules.additionalProperties.anyOf[1].properties.webhook.enum}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data4.check !== undefined){
let data6 = data4.check;
if(!((((data6 === "deny") || (data6 === "warn")) || (data6 === "audit")) || (data6 === "ignore"))){
const err10 = {instancePath:instancePath+"/rules/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/rules/additionalProperties/anyOf/1/properties/check/enum",keyword:"enum",params:{allowedValues: schema11.properties.rules.additionalProperties.anyOf[1].properties.check.enum}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data4.scan !== undefined){
let data7 = data4.scan;
if(!((((data7 === "deny") || (data7 === "warn")) || (data7 === "audit")) || (data7 === "ignore"))){
const err11 = {instancePath:instancePath+"/rules/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/scan",schemaPath:"#/properties/rules/additionalProperties/anyOf/1/properties/scan/enum",keyword:"enum",params:{allowedValues: schema11.properties.rules.additionalProperties.anyOf[1].properties.scan.enum}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/rules/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/rules/additionalProperties/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid0 = _errs11 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const _errs17 = errors;
if(data4 !== null){
const err13 = {instancePath:instancePath+"/rules/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/rules/additionalProperties/anyOf/2/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
var _valid0 = _errs17 === errors;
valid2 = valid2 || _valid0;
}
}
if(!valid2){
const err14 = {instancePath:instancePath+"/rules/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/rules/additionalProperties/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
else {
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err15 = {instancePath:instancePath+"/rules",schemaPath:"#/properties/rules/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.claims !== undefined){
let data8 = data.claims;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key3 in data8){
if(!((key3 === "allowedReservedNames") || (key3 === "membershipManagers"))){
const err16 = {instancePath:instancePath+"/claims",schemaPath:"#/properties/claims/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data8.allowedReservedNames !== undefined){
let data9 = data8.allowedReservedNames;
if(Array.isArray(data9)){
if(data9.length > 1000){
const err17 = {instancePath:instancePath+"/claims/allowedReservedNames",schemaPath:"#/properties/claims/properties/allowedReservedNames/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(data9.length < 0){
const err18 = {instancePath:instancePath+"/claims/allowedReservedNames",schemaPath:"#/properties/claims/properties/allowedReservedNames/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
const len0 = data9.length;
for(let i0=0; i0<len0; i0++){
let data10 = data9[i0];
if(typeof data10 === "string"){
if(!(formats0(data10))){
const err19 = {instancePath:instancePath+"/claims/allowedReservedNames/" + i0,schemaPath:"#/properties/claims/properties/allowedReservedNames/items/format",keyword:"format",params:{format: "reserved-name"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(!longerThan(data10, 0)){
const err20 = {instancePath:instancePath+"/claims/allowedReservedNames/" + i0,schemaPath:"#/properties/claims/properties/allowedReservedNames/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/claims/allowedReservedNames/" + i0,schemaPath:"#/properties/claims/properties/allowedReservedNames/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/claims/allowedReservedNames",schemaPath:"#/properties/claims/properties/allowedReservedNames/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data8.membershipManagers !== undefined){
let data11 = data8.membershipManagers;
if(Array.isArray(data11)){
if(data11.length > 1000){
const err23 = {instancePath:instancePath+"/claims/membershipManagers",schemaPath:"#/properties/claims/properties/membershipManagers/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(data11.length < 1){
const err24 = {instancePath:instancePath+"/claims/membershipManagers",schemaPath:"#/properties/claims/properties/membershipManagers/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
const len1 = data11.length;
for(let i1=0; i1<len1; i1++){
let data12 = data11[i1];
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(Object.keys(data12).length > 1){
const err25 = {instancePath:instancePath+"/claims/membershipManagers/" + i1,schemaPath:"#/properties/claims/properties/membershipManagers/items/maxProperties",keyword:"maxProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(Object.keys(data12).length < 1){
const err26 = {instancePath:instancePath+"/claims/membershipManagers/" + i1,schemaPath:"#/properties/claims/properties/membershipManagers/items/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
for(const key4 in data12){
if(!(((key4 === "user") || (key4 === "group")) || (key4 === "serviceAccount"))){
const err27 = {instancePath:instancePath+"/claims/membershipManagers/" + i1,schemaPath:"#/properties/claims/properties/membershipManagers/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data12.user !== undefined){
let data13 = data12.user;
if(typeof data13 === "string"){
if(!longerThan(data13, 0)){
const err28 = {instancePath:instancePath+"/claims/membershipManagers/" + i1+"/user",schemaPath:"#/properties/claims/properties/membershipManagers/items/properties/user/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/claims/membershipManagers/" + i1+"/user",schemaPath:"#/properties/claims/properties/membershipManagers/items/properties/user/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data12.group !== undefined){
let data14 = data12.group;
if(typeof data14 === "string"){
if(!longerThan(data14, 0)){
const err30 = {instancePath:instancePath+"/claims/membershipManagers/" + i1+"/group",schemaPath:"#/properties/claims/properties/membershipManagers/items/properties/group/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/claims/membershipManagers/" + i1+"/group",schemaPath:"#/properties/claims/properties/membershipManagers/items/properties/group/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data12.serviceAccount !== undefined){
let data15 = data12.serviceAccount;
if(typeof data15 === "string"){
if(!(formats2(data15))){
const err32 = {instancePath:instancePath+"/claims/membershipManagers/" + i1+"/serviceAccount",schemaPath:"#/properties/claims/properties/membershipManagers/items/properties/serviceAccount/format",keyword:"format",params:{format: "service-account"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/claims/membershipManagers/" + i1+"/serviceAccount",schemaPath:"#/properties/claims/properties/membershipManagers/items/properties/serviceAccount/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
}
else {
const err34 = {instancePath:instancePath+"/claims/membershipManagers/" + i1,schemaPath:"#/properties/claims/properties/membershipManagers/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath:instancePath+"/claims/membershipManagers",schemaPath:"#/properties/claims/properties/membershipManagers/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
else {
const err36 = {instancePath:instancePath+"/claims",schemaPath:"#/properties/claims/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data.inventory !== undefined){
let data16 = data.inventory;
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
for(const key5 in data16){
if(!(key5 === "managers")){
const err37 = {instancePath:instancePath+"/inventory",schemaPath:"#/properties/inventory/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data16.managers !== undefined){
let data17 = data16.managers;
if(data17 && typeof data17 == "object" && !Array.isArray(data17)){
if(Object.keys(data17).length > 1000){
const err38 = {instancePath:instancePath+"/inventory/managers",schemaPath:"#/properties/inventory/properties/managers/maxProperties",keyword:"maxProperties",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(Object.keys(data17).length < 1){
const err39 = {instancePath:instancePath+"/inventory/managers",schemaPath:"#/properties/inventory/properties/managers/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
for(const key6 in data17){
let data18 = data17[key6];
if(Array.isArray(data18)){
if(data18.length > 1000){
const err40 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/inventory/properties/managers/additionalProperties/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(data18.length < 1){
const err41 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/inventory/properties/managers/additionalProperties/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
const len2 = data18.length;
for(let i2=0; i2<len2; i2++){
let data19 = data18[i2];
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if(Object.keys(data19).length > 1){
const err42 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i2,schemaPath:"#/properties/inventory/properties/managers/additionalProperties/items/maxProperties",keyword:"maxProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(Object.keys(data19).length < 1){
const err43 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i2,schemaPath:"#/properties/inventory/properties/managers/additionalProperties/items/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
for(const key7 in data19){
if(!(((key7 === "user") || (key7 === "group")) || (key7 === "serviceAccount"))){
const err44 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i2,schemaPath:"#/properties/inventory/properties/managers/additionalProperties/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data19.user !== undefined){
let data20 = data19.user;
if(typeof data20 === "string"){
if(!longerThan(data20, 0)){
const err45 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i2+"/user",schemaPath:"#/properties/inventory/properties/managers/additionalProperties/items/properties/user/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i2+"/user",schemaPath:"#/properties/inventory/properties/managers/additionalProperties/items/properties/user/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data19.group !== undefined){
let data21 = data19.group;
if(typeof data21 === "string"){
if(!longerThan(data21, 0)){
const err47 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i2+"/group",schemaPath:"#/properties/inventory/properties/managers/additionalProperties/items/properties/group/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i2+"/group",schemaPath:"#/properties/inventory/properties/managers/additionalProperties/items/properties/group/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data19.serviceAccount !== undefined){
let data22 = data19.serviceAccount;
if(typeof data22 === "string"){
if(!(formats2(data22))){
const err49 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i2+"/serviceAccount",schemaPath:"#/properties/inventory/properties/managers/additionalProperties/items/properties/serviceAccount/format",keyword:"format",params:{format: "service-account"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
else {
const err50 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i2+"/serviceAccount",schemaPath:"#/properties/inventory/properties/managers/additionalProperties/items/properties/serviceAccount/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
}
else {
const err51 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i2,schemaPath:"#/properties/inventory/properties/managers/additionalProperties/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
}
else {
const err52 = {instancePath:instancePath+"/inventory/managers/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/inventory/properties/managers/additionalProperties/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
}
else {
const err53 = {instancePath:instancePath+"/inventory/managers",schemaPath:"#/properties/inventory/properties/managers/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
}
else {
const err54 = {instancePath:instancePath+"/inventory",schemaPath:"#/properties/inventory/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data.features !== undefined){
let data23 = data.features;
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
for(const key8 in data23){
if(!(((key8 === "dynamic") || (key8 === "serverFlow")) || (key8 === "clockSkewSeconds"))){
const err55 = {instancePath:instancePath+"/features",schemaPath:"#/properties/features/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data23.dynamic !== undefined){
let data24 = data23.dynamic;
const _errs58 = errors;
let valid16 = false;
const _errs59 = errors;
if("*" !== data24){
const err56 = {instancePath:instancePath+"/features/dynamic",schemaPath:"#/properties/features/properties/dynamic/anyOf/0/const",keyword:"const",params:{allowedValue: "*"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
var _valid1 = _errs59 === errors;
valid16 = valid16 || _valid1;
if(!valid16){
const _errs60 = errors;
if(Array.isArray(data24)){
if(data24.length > 1000){
const err57 = {instancePath:instancePath+"/features/dynamic",schemaPath:"#/properties/features/properties/dynamic/anyOf/1/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if(data24.length < 0){
const err58 = {instancePath:instancePath+"/features/dynamic",schemaPath:"#/properties/features/properties/dynamic/anyOf/1/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
const len3 = data24.length;
for(let i3=0; i3<len3; i3++){
let data25 = data24[i3];
if(data25 && typeof data25 == "object" && !Array.isArray(data25)){
if(data25.namespace === undefined){
const err59 = {instancePath:instancePath+"/features/dynamic/" + i3,schemaPath:"#/properties/features/properties/dynamic/anyOf/1/items/required",keyword:"required",params:{missingProperty: "namespace"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if(data25.name === undefined){
const err60 = {instancePath:instancePath+"/features/dynamic/" + i3,schemaPath:"#/properties/features/properties/dynamic/anyOf/1/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
for(const key9 in data25){
if(!((key9 === "namespace") || (key9 === "name"))){
const err61 = {instancePath:instancePath+"/features/dynamic/" + i3,schemaPath:"#/properties/features/properties/dynamic/anyOf/1/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
if(data25.namespace !== undefined){
let data26 = data25.namespace;
if(typeof data26 === "string"){
if(!(formats6(data26))){
const err62 = {instancePath:instancePath+"/features/dynamic/" + i3+"/namespace",schemaPath:"#/properties/features/properties/dynamic/anyOf/1/items/properties/namespace/format",keyword:"format",params:{format: "any-dns-label"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(!longerThan(data26, 0)){
const err63 = {instancePath:instancePath+"/features/dynamic/" + i3+"/namespace",schemaPath:"#/properties/features/properties/dynamic/anyOf/1/items/properties/namespace/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
else {
const err64 = {instancePath:instancePath+"/features/dynamic/" + i3+"/namespace",schemaPath:"#/properties/features/properties/dynamic/anyOf/1/items/properties/namespace/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
if(data25.name !== undefined){
let data27 = data25.name;
if(typeof data27 === "string"){
if(!(formats8(data27))){
const err65 = {instancePath:instancePath+"/features/dynamic/" + i3+"/name",schemaPath:"#/properties/features/properties/dynamic/anyOf/1/items/properties/name/format",keyword:"format",params:{format: "any-dns-subdomain"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
if(!longerThan(data27, 0)){
const err66 = {instancePath:instancePath+"/features/dynamic/" + i3+"/name",schemaPath:"#/properties/features/properties/dynamic/anyOf/1/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
else {
const err67 = {instancePath:instancePath+"/features/dynamic/" + i3+"/name",schemaPath:"#/properties/features/properties/dynamic/anyOf/1/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
}
else {
const err68 = {instancePath:instancePath+"/features/dynamic/" + i3,schemaPath:"#/properties/features/properties/dynamic/anyOf/1/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
}
else {
const err69 = {instancePath:instancePath+"/features/dynamic",schemaPath:"#/properties/features/properties/dynamic/anyOf/1/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
var _valid1 = _errs60 === errors;
valid16 = valid16 || _valid1;
}
if(!valid16){
const err70 = {instancePath:instancePath+"/features/dynamic",schemaPath:"#/properties/features/properties/dynamic/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
else {
errors = _errs58;
if(vErrors !== null){
if(_errs58){
vErrors.length = _errs58;
}
else {
vErrors = null;
}
}
}
}
if(data23.serverFlow !== undefined){
let data28 = data23.serverFlow;
if(Array.isArray(data28)){
if(data28.length > 1000){
const err71 = {instancePath:instancePath+"/features/serverFlow",schemaPath:"#/properties/features/properties/serverFlow/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
if(data28.length < 0){
const err72 = {instancePath:instancePath+"/features/serverFlow",schemaPath:"#/properties/features/properties/serverFlow/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
const len4 = data28.length;
for(let i4=0; i4<len4; i4++){
let data29 = data28[i4];
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
if(data29.namespace === undefined){
const err73 = {instancePath:instancePath+"/features/serverFlow/" + i4,schemaPath:"#/properties/features/properties/serverFlow/items/required",keyword:"required",params:{missingProperty: "namespace"}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
if(data29.principals === undefined){
const err74 = {instancePath:instancePath+"/features/serverFlow/" + i4,schemaPath:"#/properties/features/properties/serverFlow/items/required",keyword:"required",params:{missingProperty: "principals"}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
for(const key10 in data29){
if(!((key10 === "namespace") || (key10 === "principals"))){
const err75 = {instancePath:instancePath+"/features/serverFlow/" + i4,schemaPath:"#/properties/features/properties/serverFlow/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
if(data29.namespace !== undefined){
let data30 = data29.namespace;
if(typeof data30 === "string"){
if(!(formats10(data30))){
const err76 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/namespace",schemaPath:"#/properties/features/properties/serverFlow/items/properties/namespace/format",keyword:"format",params:{format: "dns-label"}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
if(!longerThan(data30, 0)){
const err77 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/namespace",schemaPath:"#/properties/features/properties/serverFlow/items/properties/namespace/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
else {
const err78 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/namespace",schemaPath:"#/properties/features/properties/serverFlow/items/properties/namespace/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
if(data29.principals !== undefined){
let data31 = data29.principals;
if(Array.isArray(data31)){
if(data31.length > 1000){
const err79 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals",schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
if(data31.length < 1){
const err80 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals",schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
const len5 = data31.length;
for(let i5=0; i5<len5; i5++){
let data32 = data31[i5];
if(data32 && typeof data32 == "object" && !Array.isArray(data32)){
if(Object.keys(data32).length > 1){
const err81 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals/" + i5,schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/items/maxProperties",keyword:"maxProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
if(Object.keys(data32).length < 1){
const err82 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals/" + i5,schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/items/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
for(const key11 in data32){
if(!(((key11 === "user") || (key11 === "group")) || (key11 === "serviceAccount"))){
const err83 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals/" + i5,schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
if(data32.user !== undefined){
let data33 = data32.user;
if(typeof data33 === "string"){
if(!longerThan(data33, 0)){
const err84 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals/" + i5+"/user",schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/items/properties/user/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
else {
const err85 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals/" + i5+"/user",schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/items/properties/user/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
if(data32.group !== undefined){
let data34 = data32.group;
if(typeof data34 === "string"){
if(!longerThan(data34, 0)){
const err86 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals/" + i5+"/group",schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/items/properties/group/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
else {
const err87 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals/" + i5+"/group",schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/items/properties/group/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
if(data32.serviceAccount !== undefined){
let data35 = data32.serviceAccount;
if(typeof data35 === "string"){
if(!(formats2(data35))){
const err88 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals/" + i5+"/serviceAccount",schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/items/properties/serviceAccount/format",keyword:"format",params:{format: "service-account"}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
else {
const err89 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals/" + i5+"/serviceAccount",schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/items/properties/serviceAccount/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
}
else {
const err90 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals/" + i5,schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
}
else {
const err91 = {instancePath:instancePath+"/features/serverFlow/" + i4+"/principals",schemaPath:"#/properties/features/properties/serverFlow/items/properties/principals/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
}
else {
const err92 = {instancePath:instancePath+"/features/serverFlow/" + i4,schemaPath:"#/properties/features/properties/serverFlow/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
}
else {
const err93 = {instancePath:instancePath+"/features/serverFlow",schemaPath:"#/properties/features/properties/serverFlow/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data23.clockSkewSeconds !== undefined){
let data36 = data23.clockSkewSeconds;
if((typeof data36 == "number") && (isFinite(data36))){
if(data36 > 300 || isNaN(data36)){
const err94 = {instancePath:instancePath+"/features/clockSkewSeconds",schemaPath:"#/properties/features/properties/clockSkewSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 300}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
if(data36 < 0 || isNaN(data36)){
const err95 = {instancePath:instancePath+"/features/clockSkewSeconds",schemaPath:"#/properties/features/properties/clockSkewSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
else {
const err96 = {instancePath:instancePath+"/features/clockSkewSeconds",schemaPath:"#/properties/features/properties/clockSkewSeconds/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
}
}
else {
const err97 = {instancePath:instancePath+"/features",schemaPath:"#/properties/features/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
if(data.placements !== undefined){
let data37 = data.placements;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
for(const key12 in data37){
if(!(key12 === "schedulers")){
const err98 = {instancePath:instancePath+"/placements",schemaPath:"#/properties/placements/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
if(data37.schedulers !== undefined){
let data38 = data37.schedulers;
if(data38 && typeof data38 == "object" && !Array.isArray(data38)){
if(Object.keys(data38).length > 1000){
const err99 = {instancePath:instancePath+"/placements/schedulers",schemaPath:"#/properties/placements/properties/schedulers/maxProperties",keyword:"maxProperties",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
if(Object.keys(data38).length < 1){
const err100 = {instancePath:instancePath+"/placements/schedulers",schemaPath:"#/properties/placements/properties/schedulers/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
for(const key13 in data38){
let data39 = data38[key13];
if(Array.isArray(data39)){
if(data39.length > 1000){
const err101 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
if(data39.length < 1){
const err102 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
const len6 = data39.length;
for(let i6=0; i6<len6; i6++){
let data40 = data39[i6];
if(data40 && typeof data40 == "object" && !Array.isArray(data40)){
if(Object.keys(data40).length > 1){
const err103 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i6,schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/items/maxProperties",keyword:"maxProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
if(Object.keys(data40).length < 1){
const err104 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i6,schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/items/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
for(const key14 in data40){
if(!(((key14 === "user") || (key14 === "group")) || (key14 === "serviceAccount"))){
const err105 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i6,schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key14}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
}
if(data40.user !== undefined){
let data41 = data40.user;
if(typeof data41 === "string"){
if(!longerThan(data41, 0)){
const err106 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i6+"/user",schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/items/properties/user/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
}
else {
const err107 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i6+"/user",schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/items/properties/user/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
}
if(data40.group !== undefined){
let data42 = data40.group;
if(typeof data42 === "string"){
if(!longerThan(data42, 0)){
const err108 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i6+"/group",schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/items/properties/group/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
}
else {
const err109 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i6+"/group",schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/items/properties/group/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
}
if(data40.serviceAccount !== undefined){
let data43 = data40.serviceAccount;
if(typeof data43 === "string"){
if(!(formats2(data43))){
const err110 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i6+"/serviceAccount",schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/items/properties/serviceAccount/format",keyword:"format",params:{format: "service-account"}};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
}
else {
const err111 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i6+"/serviceAccount",schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/items/properties/serviceAccount/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
}
}
else {
const err112 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i6,schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
}
}
else {
const err113 = {instancePath:instancePath+"/placements/schedulers/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/placements/properties/schedulers/additionalProperties/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
}
}
else {
const err114 = {instancePath:instancePath+"/placements/schedulers",schemaPath:"#/properties/placements/properties/schedulers/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
}
}
else {
const err115 = {instancePath:instancePath+"/placements",schemaPath:"#/properties/placements/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
}
if(data.services !== undefined){
let data44 = data.services;
if(data44 && typeof data44 == "object" && !Array.isArray(data44)){
for(const key15 in data44){
if(!((key15 === "closedNamespaces") || (key15 === "importManagers"))){
const err116 = {instancePath:instancePath+"/services",schemaPath:"#/properties/services/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key15}};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
}
if(data44.closedNamespaces !== undefined){
let data45 = data44.closedNamespaces;
if(Array.isArray(data45)){
if(data45.length > 1000){
const err117 = {instancePath:instancePath+"/services/closedNamespaces",schemaPath:"#/properties/services/properties/closedNamespaces/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
if(data45.length < 0){
const err118 = {instancePath:instancePath+"/services/closedNamespaces",schemaPath:"#/properties/services/properties/closedNamespaces/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
const len7 = data45.length;
for(let i7=0; i7<len7; i7++){
let data46 = data45[i7];
if(typeof data46 === "string"){
if(!(formats10(data46))){
const err119 = {instancePath:instancePath+"/services/closedNamespaces/" + i7,schemaPath:"#/properties/services/properties/closedNamespaces/items/format",keyword:"format",params:{format: "dns-label"}};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
if(!longerThan(data46, 0)){
const err120 = {instancePath:instancePath+"/services/closedNamespaces/" + i7,schemaPath:"#/properties/services/properties/closedNamespaces/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
}
else {
const err121 = {instancePath:instancePath+"/services/closedNamespaces/" + i7,schemaPath:"#/properties/services/properties/closedNamespaces/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
}
}
else {
const err122 = {instancePath:instancePath+"/services/closedNamespaces",schemaPath:"#/properties/services/properties/closedNamespaces/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
}
if(data44.importManagers !== undefined){
let data47 = data44.importManagers;
if(Array.isArray(data47)){
if(data47.length > 1000){
const err123 = {instancePath:instancePath+"/services/importManagers",schemaPath:"#/properties/services/properties/importManagers/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
if(data47.length < 1){
const err124 = {instancePath:instancePath+"/services/importManagers",schemaPath:"#/properties/services/properties/importManagers/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
const len8 = data47.length;
for(let i8=0; i8<len8; i8++){
let data48 = data47[i8];
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
if(Object.keys(data48).length > 1){
const err125 = {instancePath:instancePath+"/services/importManagers/" + i8,schemaPath:"#/properties/services/properties/importManagers/items/maxProperties",keyword:"maxProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
if(Object.keys(data48).length < 1){
const err126 = {instancePath:instancePath+"/services/importManagers/" + i8,schemaPath:"#/properties/services/properties/importManagers/items/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
for(const key16 in data48){
if(!(((key16 === "user") || (key16 === "group")) || (key16 === "serviceAccount"))){
const err127 = {instancePath:instancePath+"/services/importManagers/" + i8,schemaPath:"#/properties/services/properties/importManagers/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key16}};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
}
if(data48.user !== undefined){
let data49 = data48.user;
if(typeof data49 === "string"){
if(!longerThan(data49, 0)){
const err128 = {instancePath:instancePath+"/services/importManagers/" + i8+"/user",schemaPath:"#/properties/services/properties/importManagers/items/properties/user/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
}
else {
const err129 = {instancePath:instancePath+"/services/importManagers/" + i8+"/user",schemaPath:"#/properties/services/properties/importManagers/items/properties/user/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
}
if(data48.group !== undefined){
let data50 = data48.group;
if(typeof data50 === "string"){
if(!longerThan(data50, 0)){
const err130 = {instancePath:instancePath+"/services/importManagers/" + i8+"/group",schemaPath:"#/properties/services/properties/importManagers/items/properties/group/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
}
else {
const err131 = {instancePath:instancePath+"/services/importManagers/" + i8+"/group",schemaPath:"#/properties/services/properties/importManagers/items/properties/group/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
}
if(data48.serviceAccount !== undefined){
let data51 = data48.serviceAccount;
if(typeof data51 === "string"){
if(!(formats2(data51))){
const err132 = {instancePath:instancePath+"/services/importManagers/" + i8+"/serviceAccount",schemaPath:"#/properties/services/properties/importManagers/items/properties/serviceAccount/format",keyword:"format",params:{format: "service-account"}};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
}
else {
const err133 = {instancePath:instancePath+"/services/importManagers/" + i8+"/serviceAccount",schemaPath:"#/properties/services/properties/importManagers/items/properties/serviceAccount/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
}
}
else {
const err134 = {instancePath:instancePath+"/services/importManagers/" + i8,schemaPath:"#/properties/services/properties/importManagers/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
}
}
else {
const err135 = {instancePath:instancePath+"/services/importManagers",schemaPath:"#/properties/services/properties/importManagers/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
}
}
else {
const err136 = {instancePath:instancePath+"/services",schemaPath:"#/properties/services/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
}
if(data.registrar !== undefined){
let data52 = data.registrar;
if(data52 && typeof data52 == "object" && !Array.isArray(data52)){
if(data52.kubeconfig === undefined){
const err137 = {instancePath:instancePath+"/registrar",schemaPath:"#/properties/registrar/required",keyword:"required",params:{missingProperty: "kubeconfig"}};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
if(data52.namespace === undefined){
const err138 = {instancePath:instancePath+"/registrar",schemaPath:"#/properties/registrar/required",keyword:"required",params:{missingProperty: "namespace"}};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
for(const key17 in data52){
if(!(((key17 === "kubeconfig") || (key17 === "namespace")) || (key17 === "whenUnreachable"))){
const err139 = {instancePath:instancePath+"/registrar",schemaPath:"#/properties/registrar/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key17}};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
}
if(data52.kubeconfig !== undefined){
let data53 = data52.kubeconfig;
if(typeof data53 === "string"){
if(!longerThan(data53, 0)){
const err140 = {instancePath:instancePath+"/registrar/kubeconfig",schemaPath:"#/properties/registrar/properties/kubeconfig/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
}
else {
const err141 = {instancePath:instancePath+"/registrar/kubeconfig",schemaPath:"#/properties/registrar/properties/kubeconfig/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
}
if(data52.namespace !== undefined){
let data54 = data52.namespace;
if(typeof data54 === "string"){
if(!(formats10(data54))){
const err142 = {instancePath:instancePath+"/registrar/namespace",schemaPath:"#/properties/registrar/properties/namespace/format",keyword:"format",params:{format: "dns-label"}};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
if(!longerThan(data54, 0)){
const err143 = {instancePath:instancePath+"/registrar/namespace",schemaPath:"#/properties/registrar/properties/namespace/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
}
else {
const err144 = {instancePath:instancePath+"/registrar/namespace",schemaPath:"#/properties/registrar/properties/namespace/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err144];
}
else {
vErrors.push(err144);
}
errors++;
}
}
if(data52.whenUnreachable !== undefined){
let data55 = data52.whenUnreachable;
if(!((data55 === "deny") || (data55 === "warn"))){
const err145 = {instancePath:instancePath+"/registrar/whenUnreachable",schemaPath:"#/properties/registrar/properties/whenUnreachable/enum",keyword:"enum",params:{allowedValues: schema11.properties.registrar.properties.whenUnreachable.enum}};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
}
}
else {
const err146 = {instancePath:instancePath+"/registrar",schemaPath:"#/properties/registrar/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
}
if(data.check !== undefined){
let data56 = data.check;
if(data56 && typeof data56 == "object" && !Array.isArray(data56)){
for(const key18 in data56){
if(!((key18 === "clusters") || (key18 === "charts"))){
const err147 = {instancePath:instancePath+"/check",schemaPath:"#/properties/check/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key18}};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
}
}
if(data56.clusters !== undefined){
let data57 = data56.clusters;
if(Array.isArray(data57)){
if(data57.length > 1000){
const err148 = {instancePath:instancePath+"/check/clusters",schemaPath:"#/properties/check/properties/clusters/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
if(data57.length < 1){
const err149 = {instancePath:instancePath+"/check/clusters",schemaPath:"#/properties/check/properties/clusters/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
const len9 = data57.length;
for(let i9=0; i9<len9; i9++){
let data58 = data57[i9];
if(typeof data58 === "string"){
if(!(formats22(data58))){
const err150 = {instancePath:instancePath+"/check/clusters/" + i9,schemaPath:"#/properties/check/properties/clusters/items/format",keyword:"format",params:{format: "cluster-glob"}};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
if(!longerThan(data58, 0)){
const err151 = {instancePath:instancePath+"/check/clusters/" + i9,schemaPath:"#/properties/check/properties/clusters/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
}
else {
const err152 = {instancePath:instancePath+"/check/clusters/" + i9,schemaPath:"#/properties/check/properties/clusters/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
}
}
else {
const err153 = {instancePath:instancePath+"/check/clusters",schemaPath:"#/properties/check/properties/clusters/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
}
if(data56.charts !== undefined){
let data59 = data56.charts;
if(Array.isArray(data59)){
if(data59.length > 1000){
const err154 = {instancePath:instancePath+"/check/charts",schemaPath:"#/properties/check/properties/charts/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
if(data59.length < 1){
const err155 = {instancePath:instancePath+"/check/charts",schemaPath:"#/properties/check/properties/charts/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
const len10 = data59.length;
for(let i10=0; i10<len10; i10++){
let data60 = data59[i10];
if(data60 && typeof data60 == "object" && !Array.isArray(data60)){
if(data60.chart === undefined){
const err156 = {instancePath:instancePath+"/check/charts/" + i10,schemaPath:"#/properties/check/properties/charts/items/required",keyword:"required",params:{missingProperty: "chart"}};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
if(data60.cluster === undefined){
const err157 = {instancePath:instancePath+"/check/charts/" + i10,schemaPath:"#/properties/check/properties/charts/items/required",keyword:"required",params:{missingProperty: "cluster"}};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
for(const key19 in data60){
if(!((((key19 === "chart") || (key19 === "cluster")) || (key19 === "values")) || (key19 === "namespace"))){
const err158 = {instancePath:instancePath+"/check/charts/" + i10,schemaPath:"#/properties/check/properties/charts/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key19}};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
}
if(data60.chart !== undefined){
let data61 = data60.chart;
if(typeof data61 === "string"){
if(!longerThan(data61, 0)){
const err159 = {instancePath:instancePath+"/check/charts/" + i10+"/chart",schemaPath:"#/properties/check/properties/charts/items/properties/chart/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
}
else {
const err160 = {instancePath:instancePath+"/check/charts/" + i10+"/chart",schemaPath:"#/properties/check/properties/charts/items/properties/chart/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
}
if(data60.cluster !== undefined){
let data62 = data60.cluster;
if(typeof data62 === "string"){
if(!longerThan(data62, 0)){
const err161 = {instancePath:instancePath+"/check/charts/" + i10+"/cluster",schemaPath:"#/properties/check/properties/charts/items/properties/cluster/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
}
else {
const err162 = {instancePath:instancePath+"/check/charts/" + i10+"/cluster",schemaPath:"#/properties/check/properties/charts/items/properties/cluster/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
}
if(data60.values !== undefined){
let data63 = data60.values;
if(Array.isArray(data63)){
if(data63.length > 1000){
const err163 = {instancePath:instancePath+"/check/charts/" + i10+"/values",schemaPath:"#/properties/check/properties/charts/items/properties/values/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
if(data63.length < 0){
const err164 = {instancePath:instancePath+"/check/charts/" + i10+"/values",schemaPath:"#/properties/check/properties/charts/items/properties/values/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
const len11 = data63.length;
for(let i11=0; i11<len11; i11++){
let data64 = data63[i11];
if(typeof data64 === "string"){
if(!longerThan(data64, 0)){
const err165 = {instancePath:instancePath+"/check/charts/" + i10+"/values/" + i11,schemaPath:"#/properties/check/properties/charts/items/properties/values/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err165];
}
else {
vErrors.push(err165);
}
errors++;
}
}
else {
const err166 = {instancePath:instancePath+"/check/charts/" + i10+"/values/" + i11,schemaPath:"#/properties/check/properties/charts/items/properties/values/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err166];
}
else {
vErrors.push(err166);
}
errors++;
}
}
}
else {
const err167 = {instancePath:instancePath+"/check/charts/" + i10+"/values",schemaPath:"#/properties/check/properties/charts/items/properties/values/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err167];
}
else {
vErrors.push(err167);
}
errors++;
}
}
if(data60.namespace !== undefined){
let data65 = data60.namespace;
if(typeof data65 === "string"){
if(!(formats10(data65))){
const err168 = {instancePath:instancePath+"/check/charts/" + i10+"/namespace",schemaPath:"#/properties/check/properties/charts/items/properties/namespace/format",keyword:"format",params:{format: "dns-label"}};
if(vErrors === null){
vErrors = [err168];
}
else {
vErrors.push(err168);
}
errors++;
}
if(!longerThan(data65, 0)){
const err169 = {instancePath:instancePath+"/check/charts/" + i10+"/namespace",schemaPath:"#/properties/check/properties/charts/items/properties/namespace/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err169];
}
else {
vErrors.push(err169);
}
errors++;
}
}
else {
const err170 = {instancePath:instancePath+"/check/charts/" + i10+"/namespace",schemaPath:"#/properties/check/properties/charts/items/properties/namespace/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err170];
}
else {
vErrors.push(err170);
}
errors++;
}
}
}
else {
const err171 = {instancePath:instancePath+"/check/charts/" + i10,schemaPath:"#/properties/check/properties/charts/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err171];
}
else {
vErrors.push(err171);
}
errors++;
}
}
}
else {
const err172 = {instancePath:instancePath+"/check/charts",schemaPath:"#/properties/check/properties/charts/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err172];
}
else {
vErrors.push(err172);
}
errors++;
}
}
}
else {
const err173 = {instancePath:instancePath+"/check",schemaPath:"#/properties/check/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err173];
}
else {
vErrors.push(err173);
}
errors++;
}
}
if(data.exemptions !== undefined){
let data66 = data.exemptions;
if(data66 && typeof data66 == "object" && !Array.isArray(data66)){
for(const key20 in data66){
if(!((((key20 === "users") || (key20 === "groups")) || (key20 === "serviceAccounts")) || (key20 === "namespaces"))){
const err174 = {instancePath:instancePath+"/exemptions",schemaPath:"#/properties/exemptions/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key20}};
if(vErrors === null){
vErrors = [err174];
}
else {
vErrors.push(err174);
}
errors++;
}
}
if(data66.users !== undefined){
let data67 = data66.users;
if(Array.isArray(data67)){
if(data67.length > 1000){
const err175 = {instancePath:instancePath+"/exemptions/users",schemaPath:"#/properties/exemptions/properties/users/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err175];
}
else {
vErrors.push(err175);
}
errors++;
}
if(data67.length < 0){
const err176 = {instancePath:instancePath+"/exemptions/users",schemaPath:"#/properties/exemptions/properties/users/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err176];
}
else {
vErrors.push(err176);
}
errors++;
}
const len12 = data67.length;
for(let i12=0; i12<len12; i12++){
let data68 = data67[i12];
if(typeof data68 === "string"){
if(!longerThan(data68, 0)){
const err177 = {instancePath:instancePath+"/exemptions/users/" + i12,schemaPath:"#/properties/exemptions/properties/users/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err177];
}
else {
vErrors.push(err177);
}
errors++;
}
}
else {
const err178 = {instancePath:instancePath+"/exemptions/users/" + i12,schemaPath:"#/properties/exemptions/properties/users/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err178];
}
else {
vErrors.push(err178);
}
errors++;
}
}
}
else {
const err179 = {instancePath:instancePath+"/exemptions/users",schemaPath:"#/properties/exemptions/properties/users/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err179];
}
else {
vErrors.push(err179);
}
errors++;
}
}
if(data66.groups !== undefined){
let data69 = data66.groups;
if(Array.isArray(data69)){
if(data69.length > 1000){
const err180 = {instancePath:instancePath+"/exemptions/groups",schemaPath:"#/properties/exemptions/properties/groups/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err180];
}
else {
vErrors.push(err180);
}
errors++;
}
if(data69.length < 0){
const err181 = {instancePath:instancePath+"/exemptions/groups",schemaPath:"#/properties/exemptions/properties/groups/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err181];
}
else {
vErrors.push(err181);
}
errors++;
}
const len13 = data69.length;
for(let i13=0; i13<len13; i13++){
let data70 = data69[i13];
if(typeof data70 === "string"){
if(!longerThan(data70, 0)){
const err182 = {instancePath:instancePath+"/exemptions/groups/" + i13,schemaPath:"#/properties/exemptions/properties/groups/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err182];
}
else {
vErrors.push(err182);
}
errors++;
}
}
else {
const err183 = {instancePath:instancePath+"/exemptions/groups/" + i13,schemaPath:"#/properties/exemptions/properties/groups/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err183];
}
else {
vErrors.push(err183);
}
errors++;
}
}
}
else {
const err184 = {instancePath:instancePath+"/exemptions/groups",schemaPath:"#/properties/exemptions/properties/groups/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err184];
}
else {
vErrors.push(err184);
}
errors++;
}
}
if(data66.serviceAccounts !== undefined){
let data71 = data66.serviceAccounts;
if(Array.isArray(data71)){
if(data71.length > 1000){
const err185 = {instancePath:instancePath+"/exemptions/serviceAccounts",schemaPath:"#/properties/exemptions/properties/serviceAccounts/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err185];
}
else {
vErrors.push(err185);
}
errors++;
}
if(data71.length < 0){
const err186 = {instancePath:instancePath+"/exemptions/serviceAccounts",schemaPath:"#/properties/exemptions/properties/serviceAccounts/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err186];
}
else {
vErrors.push(err186);
}
errors++;
}
const len14 = data71.length;
for(let i14=0; i14<len14; i14++){
let data72 = data71[i14];
if(typeof data72 === "string"){
if(!(formats2(data72))){
const err187 = {instancePath:instancePath+"/exemptions/serviceAccounts/" + i14,schemaPath:"#/properties/exemptions/properties/serviceAccounts/items/format",keyword:"format",params:{format: "service-account"}};
if(vErrors === null){
vErrors = [err187];
}
else {
vErrors.push(err187);
}
errors++;
}
}
else {
const err188 = {instancePath:instancePath+"/exemptions/serviceAccounts/" + i14,schemaPath:"#/properties/exemptions/properties/serviceAccounts/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err188];
}
else {
vErrors.push(err188);
}
errors++;
}
}
}
else {
const err189 = {instancePath:instancePath+"/exemptions/serviceAccounts",schemaPath:"#/properties/exemptions/properties/serviceAccounts/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err189];
}
else {
vErrors.push(err189);
}
errors++;
}
}
if(data66.namespaces !== undefined){
let data73 = data66.namespaces;
if(Array.isArray(data73)){
if(data73.length > 1000){
const err190 = {instancePath:instancePath+"/exemptions/namespaces",schemaPath:"#/properties/exemptions/properties/namespaces/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err190];
}
else {
vErrors.push(err190);
}
errors++;
}
if(data73.length < 0){
const err191 = {instancePath:instancePath+"/exemptions/namespaces",schemaPath:"#/properties/exemptions/properties/namespaces/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err191];
}
else {
vErrors.push(err191);
}
errors++;
}
const len15 = data73.length;
for(let i15=0; i15<len15; i15++){
let data74 = data73[i15];
if(typeof data74 === "string"){
if(!(formats10(data74))){
const err192 = {instancePath:instancePath+"/exemptions/namespaces/" + i15,schemaPath:"#/properties/exemptions/properties/namespaces/items/format",keyword:"format",params:{format: "dns-label"}};
if(vErrors === null){
vErrors = [err192];
}
else {
vErrors.push(err192);
}
errors++;
}
if(!longerThan(data74, 0)){
const err193 = {instancePath:instancePath+"/exemptions/namespaces/" + i15,schemaPath:"#/properties/exemptions/properties/namespaces/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err193];
}
else {
vErrors.push(err193);
}
errors++;
}
}
else {
const err194 = {instancePath:instancePath+"/exemptions/namespaces/" + i15,schemaPath:"#/properties/exemptions/properties/namespaces/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err194];
}
else {
vErrors.push(err194);
}
errors++;
}
}
}
else {
const err195 = {instancePath:instancePath+"/exemptions/namespaces",schemaPath:"#/properties/exemptions/properties/namespaces/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err195];
}
else {
vErrors.push(err195);
}
errors++;
}
}
}
else {
const err196 = {instancePath:instancePath+"/exemptions",schemaPath:"#/properties/exemptions/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err196];
}
else {
vErrors.push(err196);
}
errors++;
}
}
if(data.exceptions !== undefined){
let data75 = data.exceptions;
if(Array.isArray(data75)){
if(data75.length > 1000){
const err197 = {instancePath:instancePath+"/exceptions",schemaPath:"#/properties/exceptions/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err197];
}
else {
vErrors.push(err197);
}
errors++;
}
if(data75.length < 0){
const err198 = {instancePath:instancePath+"/exceptions",schemaPath:"#/properties/exceptions/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err198];
}
else {
vErrors.push(err198);
}
errors++;
}
const len16 = data75.length;
for(let i16=0; i16<len16; i16++){
let data76 = data75[i16];
if(data76 && typeof data76 == "object" && !Array.isArray(data76)){
if(data76.rules === undefined){
const err199 = {instancePath:instancePath+"/exceptions/" + i16,schemaPath:"#/properties/exceptions/items/required",keyword:"required",params:{missingProperty: "rules"}};
if(vErrors === null){
vErrors = [err199];
}
else {
vErrors.push(err199);
}
errors++;
}
if(data76.apiGroup === undefined){
const err200 = {instancePath:instancePath+"/exceptions/" + i16,schemaPath:"#/properties/exceptions/items/required",keyword:"required",params:{missingProperty: "apiGroup"}};
if(vErrors === null){
vErrors = [err200];
}
else {
vErrors.push(err200);
}
errors++;
}
if(data76.kind === undefined){
const err201 = {instancePath:instancePath+"/exceptions/" + i16,schemaPath:"#/properties/exceptions/items/required",keyword:"required",params:{missingProperty: "kind"}};
if(vErrors === null){
vErrors = [err201];
}
else {
vErrors.push(err201);
}
errors++;
}
if(data76.name === undefined){
const err202 = {instancePath:instancePath+"/exceptions/" + i16,schemaPath:"#/properties/exceptions/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err202];
}
else {
vErrors.push(err202);
}
errors++;
}
if(data76.expires === undefined){
const err203 = {instancePath:instancePath+"/exceptions/" + i16,schemaPath:"#/properties/exceptions/items/required",keyword:"required",params:{missingProperty: "expires"}};
if(vErrors === null){
vErrors = [err203];
}
else {
vErrors.push(err203);
}
errors++;
}
if(data76.reason === undefined){
const err204 = {instancePath:instancePath+"/exceptions/" + i16,schemaPath:"#/properties/exceptions/items/required",keyword:"required",params:{missingProperty: "reason"}};
if(vErrors === null){
vErrors = [err204];
}
else {
vErrors.push(err204);
}
errors++;
}
for(const key21 in data76){
if(!(((((((key21 === "rules") || (key21 === "apiGroup")) || (key21 === "kind")) || (key21 === "namespace")) || (key21 === "name")) || (key21 === "expires")) || (key21 === "reason"))){
const err205 = {instancePath:instancePath+"/exceptions/" + i16,schemaPath:"#/properties/exceptions/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key21}};
if(vErrors === null){
vErrors = [err205];
}
else {
vErrors.push(err205);
}
errors++;
}
}
if(data76.rules !== undefined){
let data77 = data76.rules;
if(Array.isArray(data77)){
if(data77.length > 1000){
const err206 = {instancePath:instancePath+"/exceptions/" + i16+"/rules",schemaPath:"#/properties/exceptions/items/properties/rules/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err206];
}
else {
vErrors.push(err206);
}
errors++;
}
if(data77.length < 1){
const err207 = {instancePath:instancePath+"/exceptions/" + i16+"/rules",schemaPath:"#/properties/exceptions/items/properties/rules/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err207];
}
else {
vErrors.push(err207);
}
errors++;
}
const len17 = data77.length;
for(let i17=0; i17<len17; i17++){
let data78 = data77[i17];
if(typeof data78 === "string"){
if(!longerThan(data78, 0)){
const err208 = {instancePath:instancePath+"/exceptions/" + i16+"/rules/" + i17,schemaPath:"#/properties/exceptions/items/properties/rules/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err208];
}
else {
vErrors.push(err208);
}
errors++;
}
}
else {
const err209 = {instancePath:instancePath+"/exceptions/" + i16+"/rules/" + i17,schemaPath:"#/properties/exceptions/items/properties/rules/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err209];
}
else {
vErrors.push(err209);
}
errors++;
}
}
}
else {
const err210 = {instancePath:instancePath+"/exceptions/" + i16+"/rules",schemaPath:"#/properties/exceptions/items/properties/rules/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err210];
}
else {
vErrors.push(err210);
}
errors++;
}
}
if(data76.apiGroup !== undefined){
let data79 = data76.apiGroup;
if(typeof data79 === "string"){
if(!longerThan(data79, 0)){
const err211 = {instancePath:instancePath+"/exceptions/" + i16+"/apiGroup",schemaPath:"#/properties/exceptions/items/properties/apiGroup/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err211];
}
else {
vErrors.push(err211);
}
errors++;
}
}
else {
const err212 = {instancePath:instancePath+"/exceptions/" + i16+"/apiGroup",schemaPath:"#/properties/exceptions/items/properties/apiGroup/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err212];
}
else {
vErrors.push(err212);
}
errors++;
}
}
if(data76.kind !== undefined){
let data80 = data76.kind;
if(typeof data80 === "string"){
if(!longerThan(data80, 0)){
const err213 = {instancePath:instancePath+"/exceptions/" + i16+"/kind",schemaPath:"#/properties/exceptions/items/properties/kind/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err213];
}
else {
vErrors.push(err213);
}
errors++;
}
}
else {
const err214 = {instancePath:instancePath+"/exceptions/" + i16+"/kind",schemaPath:"#/properties/exceptions/items/properties/kind/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err214];
}
else {
vErrors.push(err214);
}
errors++;
}
}
if(data76.namespace !== undefined){
let data81 = data76.namespace;
if(typeof data81 === "string"){
if(!(formats10(data81))){
const err215 = {instancePath:instancePath+"/exceptions/" + i16+"/namespace",schemaPath:"#/properties/exceptions/items/properties/namespace/format",keyword:"format",params:{format: "dns-label"}};
if(vErrors === null){
vErrors = [err215];
}
else {
vErrors.push(err215);
}
errors++;
}
if(!longerThan(data81, 0)){
const err216 = {instancePath:instancePath+"/exceptions/" + i16+"/namespace",schemaPath:"#/properties/exceptions/items/properties/namespace/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err216];
}
else {
vErrors.push(err216);
}
errors++;
}
}
else {
const err217 = {instancePath:instancePath+"/exceptions/" + i16+"/namespace",schemaPath:"#/properties/exceptions/items/properties/namespace/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err217];
}
else {
vErrors.push(err217);
}
errors++;
}
}
if(data76.name !== undefined){
let data82 = data76.name;
if(typeof data82 === "string"){
if(!(formats32(data82))){
const err218 = {instancePath:instancePath+"/exceptions/" + i16+"/name",schemaPath:"#/properties/exceptions/items/properties/name/format",keyword:"format",params:{format: "dns-subdomain"}};
if(vErrors === null){
vErrors = [err218];
}
else {
vErrors.push(err218);
}
errors++;
}
if(!longerThan(data82, 0)){
const err219 = {instancePath:instancePath+"/exceptions/" + i16+"/name",schemaPath:"#/properties/exceptions/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err219];
}
else {
vErrors.push(err219);
}
errors++;
}
}
else {
const err220 = {instancePath:instancePath+"/exceptions/" + i16+"/name",schemaPath:"#/properties/exceptions/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err220];
}
else {
vErrors.push(err220);
}
errors++;
}
}
if(data76.expires !== undefined){
let data83 = data76.expires;
if(typeof data83 === "string"){
if(!(formats34(data83))){
const err221 = {instancePath:instancePath+"/exceptions/" + i16+"/expires",schemaPath:"#/properties/exceptions/items/properties/expires/format",keyword:"format",params:{format: "day-or-time"}};
if(vErrors === null){
vErrors = [err221];
}
else {
vErrors.push(err221);
}
errors++;
}
if(!longerThan(data83, 0)){
const err222 = {instancePath:instancePath+"/exceptions/" + i16+"/expires",schemaPath:"#/properties/exceptions/items/properties/expires/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err222];
}
else {
vErrors.push(err222);
}
errors++;
}
}
else {
const err223 = {instancePath:instancePath+"/exceptions/" + i16+"/expires",schemaPath:"#/properties/exceptions/items/properties/expires/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err223];
}
else {
vErrors.push(err223);
}
errors++;
}
}
if(data76.reason !== undefined){
let data84 = data76.reason;
if(typeof data84 === "string"){
if(!longerThan(data84, 0)){
const err224 = {instancePath:instancePath+"/exceptions/" + i16+"/reason",schemaPath:"#/properties/exceptions/items/properties/reason/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err224];
}
else {
vErrors.push(err224);
}
errors++;
}
}
else {
const err225 = {instancePath:instancePath+"/exceptions/" + i16+"/reason",schemaPath:"#/properties/exceptions/items/properties/reason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err225];
}
else {
vErrors.push(err225);
}
errors++;
}
}
}
else {
const err226 = {instancePath:instancePath+"/exceptions/" + i16,schemaPath:"#/properties/exceptions/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err226];
}
else {
vErrors.push(err226);
}
errors++;
}
}
}
else {
const err227 = {instancePath:instancePath+"/exceptions",schemaPath:"#/properties/exceptions/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err227];
}
else {
vErrors.push(err227);
}
errors++;
}
}
}
else {
const err228 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err228];
}
else {
vErrors.push(err228);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

export const validate: CompiledSchema = compiled;
